#include "core/sender/settings.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/one_line.h"
#include "core/os/windows.h"

namespace core::sender {
namespace {

struct Variable {
  std::string_view name;
  std::string_view unit;  // "seconds", "" for a plain number
  std::string_view meaning;
  // Where the value goes and what is there before it (the default), in the variable's unit.
  std::int64_t (*get)(const Settings&);
  void (*set)(Settings&, std::int64_t);
};

template <auto Member>
constexpr Variable whole_seconds(std::string_view name, std::string_view meaning) {
  return {name, "s", meaning,
          [](const Settings& s) { return static_cast<std::int64_t>(s.policy.*Member / 1s); },
          [](Settings& s, std::int64_t value) { s.policy.*Member = std::chrono::seconds(value); }};
}

template <auto Member>
constexpr Variable count(std::string_view name, std::string_view meaning) {
  return {name, "", meaning,
          [](const Settings& s) { return static_cast<std::int64_t>(s.policy.*Member); },
          [](Settings& s, std::int64_t value) {
            s.policy.*Member =
                static_cast<std::remove_reference_t<decltype(s.policy.*Member)>>(value);
          }};
}

constexpr Variable variables[] = {
    whole_seconds<&Policy::deadline>(
        "DEADLINE_S", "the process ends by itself after this, with exit 1 if work remains"),
    count<&Policy::lanes>("LANES",
                          "requests in flight at once: rate x latency, 500/s x 150 ms = 75"),
    {"RATE_PER_S", "", "the provider's limit, for all workers; 0: none; as the shared row says",
     [](const Settings& s) { return s.policy.rate_per_s; },
     [](Settings& s, std::int64_t value) { s.policy.rate_per_s = *(s.rate_per_s = value); }},
    count<&Policy::batch>("BATCH", "members a batch; also the most that one crash may repeat"),
    whole_seconds<&Policy::lease>(
        "LEASE_S", "a crashed claim is taken over after this; must cover the four below + 3"),
    whole_seconds<&Policy::batch_budget>("BATCH_BUDGET_S",
                                         "no request of a batch starts later after its claim"),
    whole_seconds<&Policy::connect_timeout>("CONNECT_TIMEOUT_S",
                                            "for a connection to the provider"),
    whole_seconds<&Policy::read_timeout>(
        "READ_TIMEOUT_S", "for the provider's answer; connect + read bound a request"),
    whole_seconds<&Policy::statement_timeout>("STATEMENT_TIMEOUT_S", "for one database statement"),
    whole_seconds<&Policy::database_patience>(
        "DB_PATIENCE_S", "a database away for longer ends the run with exit 1"),
    count<&Policy::attempts_max>("MAX_ATTEMPTS",
                                 "answers about a member before it fails or is unknown"),
    whole_seconds<&Policy::backoff>(
        "BACKOFF_S", "before the second attempt; doubles, plus up to half as jitter"),
    whole_seconds<&Policy::last_try>("LAST_TRY_S",
                                     "more, before the last attempt, while nobody is accepted"),
    whole_seconds<&Policy::dedupe_window>("DEDUPE_WINDOW_S",
                                          "how long the provider remembers a key"),
    count<&Policy::failed_permille_max>("MAX_FAILED_PERMILLE",
                                        "a higher ratio of failed members makes the exit code 2"),
    {"POLL_MS", "ms", "between two looks at the database's clock while waiting",
     [](const Settings& s) { return static_cast<std::int64_t>(s.poll / 1ms); },
     [](Settings& s, std::int64_t value) { s.poll = std::chrono::milliseconds(value); }},
};

std::string example(const Variable& variable) {
  return std::string(variable.name) + "=" + std::to_string(variable.get(Settings{}));
}

void read_number(const Environment& environment, const Variable& variable, Settings& settings,
                 std::vector<std::string>& problems) {
  const std::optional<std::string> text = environment(std::string(variable.name));
  if (!text) return;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < 0 ||
      value > 1'000'000'000) {
    const std::string unit = variable.unit == "s"    ? " of seconds"
                             : variable.unit == "ms" ? " of milliseconds"
                                                     : "";
    problems.push_back(std::string(variable.name) + "=" + *text + ": must be a whole number" +
                       unit + ", such as " + example(variable));
    return;
  }
  variable.set(settings, value);
}

// "0.002": seconds with a fraction, read exactly.
void read_min_interval(const Environment& environment, Settings& settings,
                       std::vector<std::string>& problems) {
  const std::optional<std::string> text = environment("MIN_INTERVAL_S");
  if (!text) return;
  const std::size_t dot = text->find('.');
  std::string fraction = dot == std::string::npos ? "" : text->substr(dot + 1);
  const std::string whole = text->substr(0, dot);
  const bool digits = (whole + fraction).find_first_not_of("0123456789") == std::string::npos;
  if (!digits || whole.empty() || whole.size() > 4 || fraction.size() > 6 ||
      (dot != std::string::npos && fraction.empty())) {
    problems.push_back("MIN_INTERVAL_S=" + *text +
                       ": must be seconds with at most six digits after the point, such as "
                       "MIN_INTERVAL_S=0.002");
    return;
  }
  fraction.resize(6, '0');
  settings.policy.min_interval =
      std::chrono::seconds(std::stoll(whole)) + Duration(std::stoll(fraction));
}

std::string required(const Environment& environment, const char* name, const char* example_value,
                     std::vector<std::string>& problems) {
  const std::optional<std::string> value = environment(name);
  if (value && !value->empty()) return *value;
  problems.push_back(std::string(name) + " is not set; for example " + name + "=" + example_value);
  return "";
}

void read_hours(const Environment& environment, Settings& settings,
                std::vector<std::string>& problems) {
  if (const auto text = environment("WINDOW")) {
    settings.window = *text;
    if (const auto window = os::parse_window(*text); !window)
      problems.push_back("WINDOW=" + *text + ": " + window.error());
  }
  if (const auto text = environment("NOT_AFTER")) {
    if (const auto moment = os::parse_moment(*text)) {
      settings.not_after = *moment;
    } else {
      problems.push_back("NOT_AFTER=" + *text + ": " + moment.error());
    }
  }
}

// Both stand in a header of every request. An HTTP library leaves a header with a line break out,
// and a request without its key is delivered every time.
bool fits_in_header(const std::string& value, std::string_view without) {
  return std::none_of(value.begin(), value.end(), [&](char c) {
    return (c >= 0 && c < 0x20) || c == 0x7f || without.find(c) != std::string_view::npos;
  });
}

}  // namespace

Settings read_settings(const Environment& environment, std::vector<std::string>& problems) {
  Settings settings;
  settings.database.dsn =
      required(environment, "DB_DSN", "\"host=10.0.0.5 dbname=promotion user=sender\"", problems);
  if (!settings.database.dsn.empty()) {
    if (const std::string wrong = pg::dsn_problem(settings.database.dsn); !wrong.empty())
      problems.push_back("DB_DSN: " + wrong +
                         "; for example DB_DSN=\"host=10.0.0.5 dbname=promotion user=sender\"");
  }
  settings.campaign = required(environment, "CAMPAIGN_ID", "spring-2026", problems);
  const std::string mail_url =
      required(environment, "MAIL_URL", "https://mail.example.com/v1/send", problems);
  if (!mail_url.empty()) {
    if (auto url = http::parse_mail_url(mail_url)) {
      settings.mail.url = *url;
    } else {
      problems.push_back(url.error());
    }
  }
  for (const Variable& variable : variables) read_number(environment, variable, settings, problems);
  read_min_interval(environment, settings, problems);
  read_hours(environment, settings, problems);
  settings.template_name = environment("TEMPLATE");
  settings.provider = environment("PROVIDER").value_or(settings.mail.url.origin());
  settings.mail.api_key = environment("MAIL_API_KEY").value_or("");
  settings.mail.ca_file = environment("MAIL_CA_FILE").value_or("");
  if (!fits_in_header(settings.campaign, "\"\\")) {
    problems.push_back(
        "CAMPAIGN_ID holds a control character, a quote or a backslash, which an idempotency key "
        "can't "
        "carry; for example CAMPAIGN_ID=spring-2026");
  }
  if (!fits_in_header(settings.mail.api_key, "")) {
    problems.push_back(
        "MAIL_API_KEY holds a control character, such as a line break at the end; give the key "
        "alone");
  }
  const std::string pooler = environment("DB_POOLER").value_or("");
  if (!pooler.empty() && pooler != "transaction" && pooler != "none") {
    problems.push_back("DB_POOLER=" + pooler +
                       ": must be transaction (PgBouncer in transaction mode) or none");
  }
  if (settings.poll < 1ms) problems.push_back("POLL_MS=0: must be at least 1");
  settings.metrics = {environment("METRICS_LISTEN").value_or(""),
                      environment("METRICS_FILE").value_or(""),
                      environment("METRICS_PUSH_URL").value_or("")};
  for (std::string& problem : settings.metrics.problems()) problems.push_back(std::move(problem));
  for (std::string& problem : settings.policy.problems()) problems.push_back(std::move(problem));
  for (std::string& problem : problems) problem = on_one_line(problem);
  settings.mail.campaign = settings.campaign;
  settings.mail.connect_timeout = settings.policy.connect_timeout;
  settings.mail.read_timeout = settings.policy.read_timeout;
  settings.mail.retry_after_max = settings.policy.retry_after_max;
  settings.database.statement_timeout = settings.policy.statement_timeout;
  settings.database.transaction_pooler = pooler == "transaction";
  return settings;
}

std::string describe_settings() {
  std::string text =
      "  DB_DSN              PostgreSQL, as libpq takes it (keywords or URI)\n"
      "  CAMPAIGN_ID         the campaign in campaign_targets\n"
      "  MAIL_URL            the provider, a full URL with path; https verifies certificates\n";
  const Settings defaults;
  for (const Variable& variable : variables) {
    std::string line = "  " + std::string(variable.name);
    line.resize(22, ' ');
    line += std::string(variable.meaning) + " (" + std::to_string(variable.get(defaults));
    if (!variable.unit.empty()) line += " " + std::string(variable.unit);
    text += line + ")\n";
  }
  text +=
      "  MIN_INTERVAL_S      least time between two requests of this process, such as 0.002 (0 s)\n"
      "  WINDOW              no request starts outside of it, such as 22:00-06:00 Asia/Tokyo, by "
      "the\n"
      "                      database's clock: the rest of a batch goes back unsent, and a "
      "process\n"
      "                      that is started outside waits for it within DEADLINE_S; as the "
      "campaign\n"
      "                      was begun (at any time)\n"
      "  NOT_AFTER           whoever is left then is never mailed, but skipped as stale, such as\n"
      "                      2026-12-24T06:00+09:00; as the campaign was begun (never)\n"
      "  TEMPLATE            of the mail; frozen at the campaign's first run (CAMPAIGN_ID)\n"
      "  PROVIDER            name of the shared rate row (scheme, host and port of MAIL_URL)\n"
      "  MAIL_API_KEY        sent as a bearer token (none)\n"
      "  MAIL_CA_FILE        PEM certificates to trust instead of the system's\n"
      "  DB_POOLER           transaction: behind PgBouncer in transaction mode; the role's own "
      "settings\n"
      "                      then bound a statement: ALTER ROLE sender SET statement_timeout = "
      "'10s',\n"
      "                      and client_connection_check_interval = '1s' (none)\n"
      "  METRICS_LISTEN      address and port of a page for Prometheus to scrape, /metrics (none)\n"
      "  METRICS_FILE        the same as a file, for a node exporter's textfile collector (none)\n"
      "  METRICS_PUSH_URL    a Pushgateway that gets the last state of a run, such as\n"
      "                      http://pushgateway:9091/metrics/job/campaign_sender (none)\n";
  return text;
}

}  // namespace core::sender
