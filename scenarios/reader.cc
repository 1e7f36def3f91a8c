#include "scenarios/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/os/windows.h"
#include "core/policy.h"
#include "fake_mail/http_listener.h"
#include "scenarios/event_reader.h"
#include "scenarios/expectation_reader.h"
#include "scenarios/table_reader.h"

namespace scenarios {
namespace {

using std::chrono::hours;

constexpr std::int64_t kMembersMost = 100'000'000;
constexpr std::int64_t kSecondsMost = 3600 * 24 * 30;
constexpr std::int64_t kMicrosecondsMost = core::Duration(hours(24 * 30)).count();

void read_audience(TableReader& in, Audience& out) {
  const Value* members = in.value("members");
  if (!members) return;
  const bool one = members->kind != Value::Kind::list;
  const std::vector<Value> sizes = one ? std::vector{*members} : members->items;
  if (sizes.empty())
    in.errors().report(members->place,
                       "audience.members is an empty list; give a size, like 10000");
  out.members.clear();
  for (const Value& size : sizes) {
    const auto read = read_integer(size, "audience.members", {1, kMembersMost}, in.errors());
    if (!read) return;
    if (!out.members.empty() && *read <= out.members.back())
      in.errors().report(size.place, fmt::format("audience.members must ascend, but {} follows {}",
                                                 *read, out.members.back()));
    out.members.push_back(*read);
  }
}

// What is right is handed to the senders as they read it.
void read_campaign(TableReader& in, Campaign& out, std::map<std::string, std::string>& env) {
  const auto check = [&](const std::string& key, const std::string& text, const auto& parsed) {
    if (!parsed)
      in.errors().report(in.value(key)->place,
                         fmt::format("campaign.{} = \"{}\": {}", key, text, parsed.error()));
  };
  in.text("window", out.window);
  if (!out.window.empty()) {
    check("window", out.window, core::os::parse_window(out.window));
    env["WINDOW"] = out.window;
  }
  in.text("not_after", out.not_after);
  if (!out.not_after.empty()) {
    check("not_after", out.not_after, core::os::parse_moment(out.not_after));
    env["NOT_AFTER"] = out.not_after;
  }
  std::string starts;
  in.text("starts", starts);
  if (starts.empty()) return in.require("starts", "starts = \"2026-12-24T05:59:50+09:00\"");
  const auto moment = core::os::parse_moment(starts);
  check("starts", starts, moment);
  if (moment) out.starts = *moment;
}

void read_latency(TableReader& in, std::vector<fake_mail::LatencyShare>& out) {
  const Value* latency = in.value("latency_us");
  if (!latency) return;
  const auto refuse = [&](const Value& at) {
    in.errors().report(at.place,
                       fmt::format("provider.latency_us must be a list of [permille, us], like "
                                   "[[900, 150000], [100, 400000]], not {}",
                                   describe(at)));
  };
  if (latency->kind != Value::Kind::list) return refuse(*latency);
  int sum = 0;
  for (const Value& share : latency->items) {
    if (share.kind != Value::Kind::list || share.items.size() != 2) return refuse(share);
    const auto permille =
        read_integer(share.items[0], "the permille of provider.latency_us", {1, 1000}, in.errors());
    const auto time = read_integer(share.items[1], "the time of provider.latency_us",
                                   {0, kMicrosecondsMost}, in.errors());
    if (!permille || !time) return;
    sum += static_cast<int>(*permille);
    out.push_back({static_cast<int>(*permille), core::Duration(*time)});
  }
  if (sum != 1000)
    in.errors().report(
        latency->place,
        fmt::format("the permilles of provider.latency_us add up to {}, not 1000", sum));
}

void read_provider(TableReader& in, fake_mail::Behaviour& out) {
  in.integer("limit_per_s", {0, 1'000'000}, out.limit_per_s);
  in.microseconds("block_us", {0, kMicrosecondsMost}, out.block);
  read_latency(in, out.latency);
  in.microseconds("dedupe_window_us", {0, kMicrosecondsMost}, out.dedupe_window);
  in.flag("ignores_keys", out.ignores_keys);
  in.integer("permille_503", {0, 1000}, out.permille_503);
  in.integer("permille_422", {0, 1000}, out.permille_422);
  in.integer("permille_429", {0, 1000}, out.permille_429);
  in.integer("permille_accept_then_503", {0, 1000}, out.permille_accept_then_503);
  in.integer("permille_accept_then_silence", {0, 1000}, out.permille_accept_then_silence);
  const int faults = out.permille_503 + out.permille_422 + out.permille_429 +
                     out.permille_accept_then_503 + out.permille_accept_then_silence;
  if (faults > 1000)
    in.errors().report(
        in.whole().place,
        fmt::format("the permilles of [provider] add up to {}, more than 1000", faults));
  in.tables("rule", [&](TableReader& rule) {
    fake_mail::Rule read;
    rule.integer("status", {0, 599}, read.status);
    if (read.status > 0 && read.status < 400)
      rule.errors().report(
          rule.value("status")->place,
          fmt::format("provider.rule.status must be 400 to 599, or 0 for a mail that is delivered "
                      "and never answered, not {}",
                      read.status));
    rule.integer("every", {1, INT64_MAX}, read.every);
    rule.integer("tries", {0, 1'000'000}, read.tries);
    rule.require("status", "status = 503");
    rule.require("every", "every = 25");
    out.rules.push_back(read);
  });
}

// The harness sets these itself; a second source would win or lose silently.
std::string setting_instead_of(std::string_view variable) {
  if (variable == "LANES") return "sender.lanes";
  if (variable == "RATE_PER_S") return "sender.rate_per_s";
  if (variable == "BATCH") return "sender.batch";
  if (variable == "DB_DSN") return "--dsn";
  if (variable == "WINDOW") return "campaign.window";
  if (variable == "NOT_AFTER") return "campaign.not_after";
  return "";
}

void read_env(TableReader& in, std::map<std::string, std::string>& out) {
  for (const Entry& entry : in.whole().entries) {
    const Value* value = in.value(entry.key);
    const auto is_name = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (entry.key.empty() || !std::ranges::all_of(entry.key, is_name))
      in.errors().report(
          entry.place,
          fmt::format("\"{}\" is no environment variable; write capitals, digits and _, "
                      "like POLL_MS",
                      entry.key));
    if (const std::string instead = setting_instead_of(entry.key); !instead.empty())
      in.errors().report(entry.place, fmt::format("{} is set by the harness; give {} instead",
                                                  entry.key, instead));
    if (entry.key == "MAIL_URL" || entry.key == "CAMPAIGN_ID")
      in.errors().report(entry.place,
                         fmt::format("{} is set by the harness and can't be given", entry.key));
    if (value->kind == Value::Kind::text)
      out[entry.key] = value->text;
    else if (value->kind == Value::Kind::integer)
      out[entry.key] = fmt::format("{}", value->integer);
    else
      in.errors().report(value->place, fmt::format("{} must be a text or an integer, not {}",
                                                   entry.key, describe(*value)));
  }
}

void read_sender(TableReader& in, SenderSettings& out) {
  in.integer("processes", {1, 64}, out.processes);
  in.integer("lanes", {1, core::Policy::lanes_most}, out.lanes);
  in.integer("rate_per_s", {0, core::Policy::rate_per_s_most}, out.rate_per_s);
  in.integer("batch", {1, core::Policy::batch_most}, out.batch);
  if (connections_at_most(out) > fake_mail::threads_max) {
    const Value* lanes = in.value("lanes");
    const Value* given = lanes != nullptr ? lanes : in.value("processes");
    in.errors().report(
        given->place,
        fmt::format("{} processes x {} lanes: the provider serves {} connections, and this needs "
                    "{} (twice the lanes, for restarts, of two processes at least)",
                    out.processes, out.lanes, fake_mail::threads_max, connections_at_most(out)));
  }
  in.table("env", [&](TableReader& env) { read_env(env, out.env); });
}

void read_job(TableReader& in, Job& out) {
  std::string policy = out.policy == JobPolicy::allow ? "allow" : "forbid";
  in.text("policy", policy);
  if (policy == "allow")
    out.policy = JobPolicy::allow;
  else if (policy != "forbid")
    in.errors().report(
        in.value("policy")->place,
        fmt::format("job.policy must be \"allow\" or \"forbid\", not \"{}\"", policy));
  in.integer("backoff_limit", {0, 100}, out.backoff_limit);
  in.integer("memory_limit_bytes", {0, INT64_MAX}, out.memory_limit_bytes);
  in.seconds("active_deadline_s", {0, kSecondsMost}, out.active_deadline);
  in.integers("fail_on", {1, 255}, out.fail_on);
}

void read_cronjob(TableReader& in, CronJob& out) {
  in.integer("starts", {1, 1000}, out.starts);
  in.seconds("every_s", {60, kSecondsMost}, out.every);  // the schedule's finest step is a minute
  in.require("starts", "starts = 4");
  in.require("every_s", "every_s = 86400");
}

void read_expectations(TableReader& in, Scenario& out) {
  for (const std::string_view sender : kSendersWithExpectations) {
    in.table(std::string(sender), [&](TableReader& table) {
      for (const Entry& entry : table.whole().entries) {
        table.value(entry.key);
        if (auto read = read_expectation(entry, table.name(), table.errors()))
          out.expect[std::string(sender)].push_back(std::move(*read));
      }
    });
  }
}

// An event beyond the smallest audience: nobody would wait for it before the run is over. A sender
// without duplicates delivers one mail a member.
void must_come(TableReader& in, const Event& event, const Audience& audience) {
  if (audience.members.empty()) return;  // refused already
  const std::int64_t members = audience.members.front();
  if (event.accept > members)
    in.errors().report(in.value("when")->place,
                       fmt::format("event.when: mail {} never comes to an audience of {}; give "
                                   "\"accept {}\" at most, or more members",
                                   event.accept, members, members));
  const std::int64_t last = event.first + event.count - 1;
  if (event.first > 0 && last > members)
    in.errors().report(in.value("first")->place,
                       fmt::format("event.first, count: members {} to {} opt out, and the audience "
                                   "ends at {}",
                                   event.first, last, members));
}

Scenario read_document(const Value& root, FirstError& errors) {
  Scenario out;
  TableReader in(root, "", errors);
  in.text("title", out.title);
  in.require("title", "title = \"what happens, in one line\"");
  std::int64_t seed = static_cast<std::int64_t>(out.seed);
  in.integer("seed", {0, INT64_MAX}, seed);
  out.seed = static_cast<std::uint64_t>(seed);
  in.table("audience", [&](TableReader& t) { read_audience(t, out.audience); });
  in.table("provider", [&](TableReader& t) { read_provider(t, out.provider); });
  in.table("sender", [&](TableReader& t) { read_sender(t, out.sender); });
  in.table("campaign", [&](TableReader& t) { read_campaign(t, out.campaign, out.sender.env); });
  in.table("job", [&](TableReader& t) { read_job(t, out.job); });
  in.table("cronjob", [&](TableReader& t) { read_cronjob(t, out.cronjob); });
  in.tables("event", [&](TableReader& t) {
    out.events.push_back(read_event(t, out.events));
    must_come(t, out.events.back(), out.audience);
  });
  check_ghosts(in, out.events);
  in.table("measure", [&](TableReader& t) {
    t.flag("memory", out.measure_memory);
    t.flag("database", out.measure_database);
  });
  in.table("expect", [&](TableReader& t) { read_expectations(t, out); });
  in.tables("choice", [&](TableReader& t) {  // read_choices() looks further
    Scenario& choice = out.choices.emplace_back();
    t.text("name", choice.choice);
    t.texts("set", choice.settings);
    t.require("name", "name = \"nightly\"");
    t.require("set", "set = [\"job.backoff_limit=0\"]");
  });
  in.finish();
  return out;
}

// Each choice is the whole document once more with its own values laid over it.
void read_choices(const Value& root, Scenario& out, FirstError& errors) {
  const Entry* written = root.find("choice");
  for (std::size_t i = 0; i < out.choices.size() && !errors.get(); ++i) {
    const std::string name = out.choices[i].choice;
    const Place& place = written->value.items[i].place;
    for (std::size_t before = 0; before < i; ++before)
      if (out.choices[before].choice == name)
        errors.report(place, fmt::format("there are two choices \"{}\"; each needs a name", name));
    Value changed = root;
    std::erase_if(changed.entries, [](const Entry& entry) { return entry.key == "choice"; });
    for (const std::string& setting : out.choices[i].settings)
      if (auto laid = apply_setting(changed, setting); !laid)
        return errors.report(place, fmt::format("choice \"{}\": {}", name, laid.error().what));
    FirstError wrong;
    out.choices[i] = read_document(changed, wrong);
    if (wrong.get())
      errors.report(place, fmt::format("choice \"{}\": {}", name, wrong.get()->message()));
    out.choices[i].choice = name;
  }
}

// What the file's name and the command line decide.
void name_it(Scenario& out, const std::string& name, const std::string& file,
             const Overrides& overrides) {
  out.file = file;
  out.name = name;
  out.settings = overrides.settings;
  out.seed_is_another = overrides.seed.value_or(out.seed) != out.seed;
  if (overrides.seed) out.seed = *overrides.seed;
  out.provider.seed = out.seed;
  for (Scenario& choice : out.choices) name_it(choice, name, file, overrides);
}

// A scenario's name is also its report folder's.
bool names_a_folder(std::string_view name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; };
  return !name.empty() && std::ranges::all_of(name, fits);
}

}  // namespace

std::expected<Scenario, ReadError> parse_scenario(std::string_view text, const std::string& file,
                                                  const Overrides& overrides) {
  const std::string name = std::filesystem::path(file).stem().string();
  if (!names_a_folder(name))
    return refuse(Place{file, 0},
                  "a scenario's file name has only letters, digits, - and _ before .toml");
  auto root = parse_document(text, file);
  if (!root) return std::unexpected(root.error());
  root->place = {file, 1};
  for (const std::string& setting : overrides.settings)
    if (auto laid = apply_setting(*root, setting); !laid) return std::unexpected(laid.error());
  FirstError errors;
  Scenario out = read_document(*root, errors);
  if (!errors.get()) read_choices(*root, out, errors);
  if (errors.get()) return std::unexpected(*errors.get());
  name_it(out, name, file, overrides);
  return out;
}

std::expected<Scenario, ReadError> read_scenario(const std::filesystem::path& file,
                                                 const Overrides& overrides) {
  const Place place{file.string(), 0};
  if (std::filesystem::is_directory(file))
    return refuse(place, "is a folder; give a scenario's .toml file");
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
    return refuse(place, "is no regular file; give a scenario's .toml file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return refuse(place,
                  errno ? fmt::format("can't be read: {}", std::strerror(errno)) : "is empty");
  return parse_scenario(text.str(), file.string(), overrides);
}

}  // namespace scenarios
