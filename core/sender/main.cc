// campaign_sender: mails a campaign's members through a delivery provider, each once, whatever
// crashes.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <iostream>
#include <thread>

#include "core/admin/command.h"
#include "core/answer_table.h"
#include "core/metrics/metrics.h"
#include "core/metrics/publisher.h"
#include "core/os/process.h"
#include "core/os/windows.h"
#include "core/sender/driver.h"
#include "core/sender/dry_run.h"
#include "core/sender/log.h"
#include "core/sender/settings.h"

namespace {

using namespace core;
using namespace core::sender;

constexpr const char* usage =
    "campaign_sender: mails a campaign's members through a delivery provider, each once, however\n"
    "often it is started, overlapped or killed.\n"
    "\n"
    "  campaign_sender                send what remains of the campaign\n"
    "  campaign_sender --dry-run[=N]  say who would be mailed (the first N, default 10), how many "
    "and\n"
    "                                 how long it takes; sends nothing\n"
    "  campaign_sender --answers      say what each answer of the provider comes to (Markdown)\n"
    "  campaign_sender --help | --version\n"
    "\n"
    "What a person asks and decides, while it is sent or not:\n";
constexpr const char* variables =
    "\n"
    "Environment (default):\n";
constexpr const char* exits =
    "\n"
    "Exit codes: 0 done; 1 work remains, or the database or provider is away: start again; 2 a "
    "person\n"
    "must look (failed ratio, unknown or stale members); 3 refused for good (configuration, "
    "credentials,\n"
    "schema), no member touched: don't retry.\n"
    "SIGTERM and SIGINT: starts no new request, records what is in flight, releases the rest, and\n"
    "exits within CONNECT_TIMEOUT_S + READ_TIMEOUT_S + 2 x STATEMENT_TIMEOUT_S, and 2 s more with\n"
    "METRICS_PUSH_URL.\n"
    "Log: one JSON object a line on stdout; errors: one line each on stderr.\n";

int refuse(const std::string& message, int code = 3) {
  std::fprintf(stderr, "campaign_sender: %s\n", message.c_str());
  return code;
}

std::optional<std::string> from_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

// Waits for a database that is away, at most database_patience. Returns nothing on success, else
// the exit code.
std::optional<int> open_campaign(pg::PgStore& store, const Settings& settings, bool write,
                                 pg::PgStore::Opened& opened) {
  const pg::PgStore::Wanted wanted{settings.template_name, settings.rate_per_s, settings.window,
                                   settings.not_after};
  // Somebody who asks what would be sent is there to see that the database is away.
  const Duration patience = write ? settings.policy.database_patience
                                  : std::min<Duration>(settings.policy.database_patience, 5s);
  const Instant give_up = os::monotonic_now() + patience;
  Duration pause = 200ms;
  for (;;) {
    const auto refusal = write ? store.open(wanted, opened) : store.inspect(wanted, opened);
    if (!refusal) return std::nullopt;
    if (refusal->for_good) return refuse(refusal->message);
    if (os::monotonic_now() + pause >= give_up) {
      return refuse("DB_DSN: the database is away, given up after " + to_text(patience) + ": " +
                        refusal->message,
                    1);
    }
    Log("database_away").text("error", refusal->message).write();
    std::this_thread::sleep_for(pause);
    pause = std::min<Duration>(pause * 2, 5s);
  }
}

// Whether requests may start now, and until when; else from when on.
std::expected<Hours, std::string> hours_of(const pg::PgStore::Opened& opened) {
  Hours hours;
  if (opened.not_after) hours.not_after = *opened.not_after;
  if (opened.window.empty()) return hours;
  const auto window = os::parse_window(opened.window);
  if (!window) return std::unexpected("campaigns.window_zone: " + window.error());
  const os::OpenHours night = os::hours_at(*window, opened.now);
  if (night.opens > opened.now) hours.opens = night.opens;
  hours.closes = night.closes;
  hours.opens_again = os::hours_at(*window, night.closes).opens;
  return hours;
}

std::string totals_json(const Report& report) {
  const Totals& totals = report.totals;
  return Log("")
      .number("batches", report.batches)
      .number("sent", report.sent)
      .number("stale_writes", report.stale_writes)
      .number("remaining", totals.remaining)
      .number("failed", totals.failed)
      .number("unknown", totals.unknown)
      .number("skipped", totals.skipped)
      .number("stale", totals.stale)
      .number("opted_out", totals.opted_out)
      .number("sent_in_all", totals.sent)
      .number("total", totals.total)
      .json();
}

void log_finished(const Exit& exit, const pg::PgStore& store) {
  Duration claims_and_records{0};
  std::string statements = "{";
  for (const auto& [name, cost] : store.costs()) {
    if (name.starts_with("claim_") || name.starts_with("record_")) claims_and_records += cost.time;
    if (statements.size() > 1) statements += ',';
    statements += "\"" + name + "\":" +
                  Log("").number("count", cost.count).number("us", cost.time.count()).json();
  }
  Log("finished")
      .number("exit", static_cast<int>(exit.code))
      .text("reason", exit.reason)
      .object("report", totals_json(exit.report))
      .number("db_us", claims_and_records.count())
      .object("statements", statements + "}")
      .write();
}

// Runs until the worker leaves. Ends the process itself: a thread that hangs in a dead connection
// must not hold it up.
[[noreturn]] void send_campaign(Settings settings, pg::PgStore& store,
                                const pg::PgStore::Opened& opened, const Hours& hours) {
  settings.policy.rate_per_s =
      opened.interval_us == 0 ? 0 : std::max<std::int64_t>(1, 1'000'000 / opened.interval_us);
  settings.mail.template_name = opened.template_name;
  const http::MailClients clients(settings.mail);
  if (!clients.problem().empty()) std::_Exit(refuse(clients.problem()));
  std::vector<std::unique_ptr<Provider>> lanes;
  for (std::int64_t lane = 0; lane < settings.policy.lanes; ++lane)
    lanes.push_back(clients.client());
  os::block_stop_signals();  // the driver's threads inherit it, and the page's
  metrics::Metrics metrics(settings.campaign);
  store.observe([&metrics](std::string_view name, Duration took, bool done) {
    metrics.statement(name, took, done);
  });
  metrics::Publisher publisher(settings.metrics, metrics, [](const std::string& line) {
    Log("warning").text("message", line).write();
  });
  if (const auto port = publisher.port()) Log("metrics").number("port", *port).write();
  Driver driver(settings.policy, store, std::move(lanes), settings.poll, os::random_seed(),
                opened.plan_version, hours, metrics, publisher);
  os::on_stop_signal([&driver] { driver.stop(); });
  const Exit exit = driver.run();
  metrics.finished(exit);
  log_finished(exit, store);
  publisher.finish();
  if (exit.code == ExitCode::refused) refuse(exit.reason);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(exit.code));
}

int run_admin(const std::vector<std::string>& arguments) {
  return admin::run_command(
      arguments, from_environment,
      [](const std::string& dsn) {
        pg::ConnectionSettings settings;
        settings.dsn = dsn;
        settings.statement_timeout = std::chrono::minutes(1);
        settings.transaction_pooler = from_environment("DB_POOLER") == "transaction";
        settings.application_name = "campaign_sender admin";
        return pg::connect_with_pqxx(settings);
      },
      std::cout, std::cerr);
}

}  // namespace

int main(int argc, char** argv) {
  os::keep_memory_flat();
  if (argc > 1 && admin::is_command(argv[1])) return run_admin({argv + 1, argv + argc});
  std::optional<std::int64_t> dry_run;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::printf("%s%s%s%s%s", usage, admin::usage().c_str(), variables,
                  describe_settings().c_str(), exits);
      return 0;
    }
    if (argument == "--answers") {
      std::printf("%s", answers_page().c_str());
      return 0;
    }
    if (argument == "--version") {
      std::printf("campaign_sender %s\n", SENDPROOF_VERSION);
      return 0;
    }
    if (argument == "--dry-run") {
      dry_run = 10;
      continue;
    }
    if (argument.starts_with("--dry-run=")) {
      std::int64_t members = 0;
      const std::string_view text = argument.substr(10);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), members);
      if (error == std::errc() && end == text.data() + text.size() && members >= 0) {
        dry_run = members;
        continue;
      }
      return refuse(std::string(argument) + ": N must be a whole number, such as --dry-run=10");
    }
    return refuse("unknown argument " + std::string(argument) + "; see campaign_sender --help");
  }
  std::vector<std::string> problems;
  Settings settings = read_settings(from_environment, problems);
  for (const std::string& problem : problems) refuse(problem);
  if (!problems.empty()) return 3;

  pg::PgStore store(pg::connect_with_pqxx(settings.database),
                    {settings.campaign, settings.provider, settings.policy});
  pg::PgStore::Opened opened;
  {
    // A connection that is accepted and then says nothing blocks for ever.
    const Duration limit =
        settings.policy.database_patience + 3 * settings.policy.statement_timeout;
    const os::Watchdog watchdog(limit, 1,
                                "campaign_sender: DB_DSN: the database does not answer, given up "
                                "after " +
                                    to_text(limit));
    if (const auto code = open_campaign(store, settings, !dry_run, opened)) return *code;
  }
  if (!opened.warning.empty()) Log("warning").text("message", opened.warning).write();
  if (opened.cancelled) {
    Log("cancelled").text("campaign", settings.campaign).write();
    return dry_run ? refuse("campaign " + settings.campaign + " is cancelled: nobody is mailed")
                   : 0;
  }
  const auto hours = hours_of(opened);
  if (!hours) return refuse(hours.error());
  if (dry_run) return print_dry_run(settings, store, opened, *dry_run);
  Log("started")
      .number("pid", getpid())
      .text("campaign", settings.campaign)
      .text("template", opened.template_name)
      .number("lanes", settings.policy.lanes)
      .number("batch", settings.policy.batch)
      .number("interval_us", opened.interval_us)
      .text("window", opened.window)
      .write();
  send_campaign(std::move(settings), store, opened, *hours);
}
