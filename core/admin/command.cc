#include "core/admin/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "core/admin/campaign_admin.h"
#include "core/admin/status_text.h"
#include "core/http/mail_url.h"
#include "core/number_text.h"
#include "core/os/windows.h"

namespace core::admin {
namespace {

constexpr std::array<std::string_view, 9> commands{
    "status", "pause", "resume", "cancel", "limit", "window", "not-after", "unknown", "resolve"};
constexpr int done = 0, away = 1, refused = 3;

struct Arguments {
  bool json = false;
  bool yes = false;
  bool all = false;
  std::int64_t limit = 50;
  std::string rate;
  std::string times;
  std::string zone;
  std::string moment;
  std::string resolution;
  std::vector<std::int64_t> members;
  std::string by;
  std::string note;
};

void define(CLI::App& app, Arguments& into) {
  app.require_subcommand(1);
  auto& status = *app.add_subcommand("status", "How the campaign stands");
  status.add_flag("--json", into.json, "As one JSON document");
  app.add_subcommand("pause", "Workers stop before their next request; members stay as they are");
  app.add_subcommand("resume", "Undoes pause; start a sender, or wait for the next night");
  auto& cancel = *app.add_subcommand("cancel", "Nobody more is sent, for good");
  cancel.add_flag("--yes", into.yes, "It can't be undone")->required();
  auto& limit = *app.add_subcommand("limit", "Changes the provider's limit for all workers");
  limit.add_option("rate", into.rate, "Such as 500/s, 5/min, 1/h or none")
      ->required()
      ->type_name("RATE");
  auto& window = *app.add_subcommand("window", "Between which times of day it is sent");
  window.add_option("times", into.times, "Such as 22:00-06:00, or none")
      ->required()
      ->type_name("HH:MM-HH:MM|none");
  window.add_option("zone", into.zone, "Such as Asia/Tokyo")->type_name("ZONE");
  auto& not_after = *app.add_subcommand("not-after", "From when on nobody is mailed any more");
  not_after.add_option("moment", into.moment, "Such as 2026-12-24T06:00+09:00, or none")
      ->required()
      ->type_name("MOMENT|none");
  auto& unknown = *app.add_subcommand("unknown", "Lists members whose delivery nobody knows");
  unknown.add_flag("--json", into.json, "As one JSON document");
  unknown.add_option("--limit", into.limit, "At most so many (without: 50)")
      ->check(CLI::Range(std::int64_t{1}, INT64_MAX))
      ->type_name("N");
  auto& resolve = *app.add_subcommand("resolve", "Decides about unknown members, on record");
  resolve.add_option("resolution", into.resolution, "delivered or send-again")
      ->required()
      ->check(CLI::IsMember({"delivered", "send-again"}))
      ->type_name("delivered|send-again");
  resolve.add_option("members", into.members, "Their ids")->type_name("MEMBER ...");
  resolve.add_flag("--all", into.all, "All that are unknown now");
  resolve.add_option("--by", into.by, "Who decides it")->required()->type_name("NAME");
  resolve.add_option("--note", into.note, "Why")->type_name("TEXT");
}

// What the decision did, or why it could not be.
class Session {
 public:
  Session(CampaignAdmin admin, std::string campaign, std::string provider, std::ostream& out,
          std::ostream& err)
      : admin_(std::move(admin)),
        campaign_(std::move(campaign)),
        provider_(std::move(provider)),
        out_(out),
        err_(err) {}

  int run(const std::string& command, const Arguments& arguments) {
    if (command == "status") return status(arguments.json);
    if (command == "pause" || command == "resume") return pause(command == "pause");
    if (command == "cancel") return cancel();
    if (command == "limit") return limit(arguments.rate);
    if (command == "window") return window(arguments);
    if (command == "not-after") return not_after(arguments.moment);
    if (command == "unknown") return unknown(arguments);
    return resolve(arguments);
  }

 private:
  int refuse(const Refusal& refusal) {
    err_ << "campaign_sender: " << refusal.message << "\n";
    return refusal.away ? away : refused;
  }

  int status(bool json) {
    const auto status = admin_.status();
    if (!status) return refuse(status.error());
    out_ << (json ? status_json : status_text)(*status, campaign_, provider_);
    return done;
  }

  int pause(bool paused) {
    const auto before = admin_.set_paused(paused);
    if (!before) return refuse(before.error());
    if (*before == paused)
      out_ << fmt::format("campaign {} was {}\n", campaign_,
                          paused ? "paused already" : "not paused");
    else
      out_ << fmt::format("campaign {} {}\n", campaign_,
                          paused ? "is paused: running senders end with exit 1 within a second"
                                 : "goes on with the next sender that is started");
    return done;
  }

  int cancel() {
    const auto before = admin_.cancel();
    if (!before) return refuse(before.error());
    out_ << fmt::format("campaign {} {}\n", campaign_,
                        *before ? "was cancelled already" : "is cancelled, for good");
    return done;
  }

  int limit(const std::string& rate) {
    const auto interval = parse_limit(rate);
    if (!interval)
      return refuse({false, "limit " + rate +
                                ": must be a whole number a second, minute or hour, such as 500/s, "
                                "5/min or 1/h, or none"});
    if (provider_.empty())
      return refuse({false,
                     "limit: set PROVIDER or MAIL_URL as the senders have it, so that the "
                     "provider is known"});
    const auto before = admin_.set_limit(*interval);
    if (!before) return refuse(before.error());
    out_ << fmt::format(
        "provider {}: {} for all workers from now on, was {}\n"
        "RATE_PER_S of senders that are started later must say the same, or be left out\n",
        provider_, limit_text(*interval), limit_text(*before));
    if (*before == Duration(0) && *interval > Duration(0))
      out_ << "senders that run now were begun without a limit: they see it when started again\n";
    return done;
  }

  int window(const Arguments& arguments) {
    std::string window;
    if (arguments.times != "none" || !arguments.zone.empty()) {
      window = arguments.times + " " + arguments.zone;
      if (const auto parsed = os::parse_window(window); !parsed)
        return refuse({false, "window " + window + ": " + parsed.error() + ", or none"});
    }
    const auto before = admin_.set_window(window);
    if (!before) return refuse(before.error());
    say_hours("is sent", window.empty() ? "at any time" : window,
              before->empty() ? "at any time" : *before, "WINDOW");
    return done;
  }

  int not_after(const std::string& text) {
    std::optional<DbTime> moment;
    if (text != "none") {
      const auto parsed = os::parse_moment(text);
      if (!parsed)
        return refuse({false, "not-after " + text + ": " + parsed.error() + ", or none"});
      moment = *parsed;
    }
    const auto before = admin_.set_not_after(moment);
    if (!before) return refuse(before.error());
    const auto until = [](std::optional<DbTime> time) {
      return time ? "until " + utc_text(*time) : "without a last date";
    };
    say_hours("is sent", until(moment), until(*before), "NOT_AFTER");
    return done;
  }

  void say_hours(const char* is, const std::string& now, const std::string& before,
                 const char* variable) {
    if (now == before) {
      out_ << fmt::format("campaign {} {} {} already\n", campaign_, is, now);
      return;
    }
    out_ << fmt::format(
        "campaign {} {} {}, was {}: running senders end with exit 1 before their next request\n"
        "{} of senders that are started later must say the same, or be left out\n",
        campaign_, is, now, before, variable);
  }

  int unknown(const Arguments& arguments) {
    const auto members = admin_.unknown_members(arguments.limit);
    if (!members) return refuse(members.error());
    if (arguments.json) {
      out_ << unknown_json(*members);
      return done;
    }
    out_ << unknown_text(*members);
    return done;
  }

  int resolve(const Arguments& arguments) {
    Decision decision;
    decision.resolution =
        arguments.resolution == "delivered" ? Resolution::delivered : Resolution::send_again;
    for (const std::int64_t member : arguments.members)
      decision.members.push_back(MemberId(member));
    decision.decided_by = arguments.by;
    decision.note = arguments.note;
    if (arguments.by.empty()) return refuse({false, "--by: say who decides, such as --by ops"});
    if (decision.members.empty() != arguments.all)
      return refuse(
          {false, "resolve: name members, or say --all; campaign_sender unknown lists them"});
    const auto resolved = admin_.resolve(decision);
    if (!resolved) return refuse(resolved.error());
    out_ << fmt::format("{} {} {}\n", grouped(std::ssize(*resolved)),
                        resolved->size() == 1 ? "member is" : "members are",
                        decision.resolution == Resolution::delivered
                            ? "recorded sent"
                            : "due again, for the next sender that is started");
    const auto left = std::ranges::find_if(decision.members, [&](MemberId member) {
      return std::ranges::find(*resolved, member) == resolved->end();
    });
    if (left == decision.members.end()) return done;
    return refuse(
        {false, fmt::format("member {} is not unknown, and stays as it is{}", number(*left),
                            decision.members.size() - resolved->size() > 1
                                ? "; nor are others that were named"
                                : "")});
  }

  CampaignAdmin admin_;
  std::string campaign_;
  std::string provider_;
  std::ostream& out_;
  std::ostream& err_;
};

std::string provider_of(const Environment& environment) {
  if (const auto provider = environment("PROVIDER")) return *provider;
  const auto url = environment("MAIL_URL");
  if (!url) return "";
  const auto parsed = http::parse_mail_url(*url);
  return parsed ? parsed->origin() : "";
}

}  // namespace

bool is_command(const std::string& word) {
  return std::ranges::find(commands, word) != commands.end();
}

std::string usage() {
  return "  campaign_sender status [--json]      how the campaign stands: sent, failed and why, "
         "unknown,\n"
         "                                       waiting, in flight, when it will be done\n"
         "  campaign_sender pause | resume       stops all its workers before their next request\n"
         "  campaign_sender cancel --yes         nobody more is sent, for good\n"
         "  campaign_sender limit RATE           500/s, 5/min, none: of the provider, while "
         "workers "
         "run\n"
         "  campaign_sender window TIMES ZONE    22:00-06:00 Asia/Tokyo: no request starts "
         "outside; "
         "none\n"
         "  campaign_sender not-after MOMENT     2026-12-24T06:00+09:00: nobody is mailed from "
         "then "
         "on; none\n"
         "  campaign_sender unknown [--json]     members whose delivery nobody knows, and why\n"
         "  campaign_sender resolve delivered|send-again (MEMBER ... | --all) --by NAME [--note "
         "TEXT]\n"
         "                                       a person's decision about them, on record\n";
}

int run_command(const std::vector<std::string>& arguments, const Environment& environment,
                const Connect& connect, std::ostream& out, std::ostream& err) {
  CLI::App app("campaign_sender: what a person asks and decides", "campaign_sender");
  Arguments into;
  define(app, into);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    out << app.get_subcommands().front()->help();
    return done;
  } catch (const CLI::ParseError& wrong) {
    err << "campaign_sender " << arguments.front() << ": " << wrong.what()
        << "; see campaign_sender " << arguments.front() << " --help\n";
    return refused;
  }
  for (const char* needed : {"DB_DSN", "CAMPAIGN_ID"}) {
    if (environment(needed).value_or("").empty()) {
      err << "campaign_sender: " << needed
          << " is not set; take it from the sender's environment\n";
      return refused;
    }
  }
  const std::string campaign = *environment("CAMPAIGN_ID");
  const std::string provider = provider_of(environment);
  Session session(CampaignAdmin(connect(*environment("DB_DSN")), campaign, provider), campaign,
                  provider, out, err);
  return session.run(arguments.front(), into);
}

}  // namespace core::admin
