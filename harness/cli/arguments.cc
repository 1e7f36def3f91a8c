#include "harness/cli/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "harness/cli/simulation_options.h"
#include "scenarios/nearest.h"

namespace harness::cli {
namespace {

constexpr std::string_view kFooter =
    "\nExit codes: 0 everything expected holds; 1 an expectation or oracle failed; 2 nothing was "
    "tested,\n"
    "or a gate fell short; 3 a usage error, or the harness could not run; 4 not deterministic;\n"
    "128 + N stopped by signal N.\n"
    "Progress goes to stderr. SENDPROOF_SCENARIOS names another folder of scenarios, NO_COLOR=1\n"
    "turns colour off.";

std::unexpected<UsageError> refused(std::string_view command, std::string_view what) {
  return std::unexpected(
      UsageError{fmt::format("harness{}{}: {}", command.empty() ? "" : " ", command, what)});
}

struct Raw {  // as written; checked afterwards, so that the messages are ours
  ListArguments list;
  RunArguments run;
  AuditArguments audit;
  std::string seed;
  SimulationOptions simulation;
};

// A list option takes one word each time it is given; CLI11 would take all that follow.
void each(CLI::App& app, const std::string& name, std::vector<std::string>& into,
          const std::string& help, const std::string& shape) {
  app.add_option(name, into, help)->type_name(shape)->allow_extra_args(false);
}

void define_run(CLI::App& run, Raw& raw) {
  RunArguments& to = raw.run;
  run.add_option("SCENARIO", to.scenario,
                 "A name that `harness list` shows, or a path to a .toml file");
  each(run, "--sender", to.options.senders,
       "reference, naive, or a command of your own in quotes;\n"
       "repeatable (without: reference and naive; reference alone\n"
       "where an event waits for a statement)",
       "SENDER");
  run.add_option("--tier", to.options.tier,
                 "process: real programs, PostgreSQL and HTTP; sim: the same\n"
                 "scenario in the simulator, in virtual time; sim-pg: the\n"
                 "same, each statement asked of PostgreSQL too and compared\n"
                 "(without: process; sim where a scenario takes nights)")
      ->type_name("TIER");
  run.add_option("--bug", to.options.bug,
                 "With --tier sim: a wrong reference sender, as `harness\n"
                 "explore --bug`; the oracles must see it")
      ->type_name("NAME");
  run.add_option("--setup", to.options.setup_file,
                 "SQL that runs on the plain table before a sender starts")
      ->type_name("FILE.sql");
  run.add_option("--seed", raw.seed,
                 "Decides every random choice of the provider\n(without: the scenario's)")
      ->type_name("N");
  each(run, "--set", to.overrides.settings,
       "Overrides a value of the scenario, like\nsender.lanes=8; repeatable", "KEY=VALUE");
  run.add_flag("--json", to.json, "Print the result as one JSON document, not as a table");
  run.add_flag("--real-time", to.options.real_time,
               "Wait where a sender waits, instead of moving the clock");
  run.add_flag("--shift-now", to.options.shift_now,
               "Let now() be moved for senders that aren't ours, so that\n"
               "their waiting is skipped too, if they print it (README)");
  run.add_option("--dsn", to.options.dsn,
                 "A PostgreSQL server to use; databases are made there and\n"
                 "dropped (without: a private one)")
      ->type_name("DSN");
  run.add_option("--out", to.out,
                 "Where <scenario>/<run>/summary.json and junit.xml go\n(without: out)")
      ->type_name("DIR");
  run.add_flag("--verbose", to.options.verbose,
               "Show every line that a sender prints on stdout; stderr is\n"
               "kept beside summary.json");
}

void define_audit(CLI::App& audit, Raw& raw) {
  AuditOptions& to = raw.audit.options;
  audit.add_option("--dsn", to.dsn, "The database that holds campaign_targets")->type_name("DSN");
  audit.add_option("--campaign", to.campaign, "The campaign_id")->type_name("ID");
  audit.add_option("--ledger", to.ledger, "The provider's CSV of requests")->type_name("FILE");
  audit.add_flag("--json", raw.audit.json, "Print the result as one JSON document, not as a table");
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

// What CLI11 could not place: misspelt options first.
std::string unexpected_word(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return "";
  const auto option =
      std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
  if (option == extras.end())
    return fmt::format("\"{}\" is one word too many; see --help", extras.front());
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("unknown option {}; {}", name, scenarios::suggestion(name, option_names(app)));
}

std::string run_problem(Raw& raw) {
  RunArguments& run = raw.run;
  if (run.scenario.empty())
    return "the scenario is missing; `harness list` shows all, like kill9-at-6000";
  if (!raw.seed.empty()) {
    std::uint64_t seed = 0;
    const char* last = raw.seed.data() + raw.seed.size();
    const auto [end, error] = std::from_chars(raw.seed.data(), last, seed);
    if (error != std::errc{} || end != last)
      return fmt::format("--seed {}: must be an integer from 0 to {}", raw.seed, UINT64_MAX);
    run.overrides.seed = seed;
  }
  if (const std::string& tier = run.options.tier;
      !tier.empty() && tier != "process" && tier != "sim" && tier != "sim-pg")
    return fmt::format("--tier {}: must be process, sim or sim-pg", tier);
  if (!run.options.bug.empty() && run.options.tier != "sim")
    return "--bug: planted bugs live in the simulator; it works with --tier sim";
  auto senders = run.options.senders;
  std::ranges::sort(senders);
  if (std::ranges::find(senders, "") != senders.end())
    return "--sender is empty; give reference, naive or a command in quotes";
  if (const auto twice = std::ranges::adjacent_find(senders); twice != senders.end())
    return fmt::format("--sender {} is given twice; each sender runs once", *twice);
  if (run.out.empty()) return "--out is empty; give a folder, like out";
  return "";
}

std::string audit_problem(const Raw& raw) {
  const AuditOptions& audit = raw.audit.options;
  if (audit.dsn.empty()) return "--dsn is missing, like --dsn postgresql://user@host/database";
  if (audit.campaign.empty()) return "--campaign is missing, like --campaign spring-2026";
  if (audit.ledger.empty()) return "--ledger is missing, like --ledger requests.csv";
  return "";
}

// Returns: `text` without line ends, as every error of ours is one line.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// "--seed: 1 required N missing" in our words.
std::string mismatch(std::string_view what) {
  const std::string_view option = what.substr(0, what.find(':'));
  if (what.contains("missing")) return fmt::format("{} needs a value", option);
  if (what.contains("At Most 1")) return fmt::format("{} is given more than once", option);
  return one_line(std::string(what));
}

std::string quoted(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_./=:,").contains(static_cast<char>(c));
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::expected<Arguments, UsageError> parse_arguments(const std::vector<std::string>& words) {
  Raw raw;
  CLI::App app("Puts mail senders under test: kills them, overlaps them, counts who got what.",
               "harness");
  app.set_version_flag("--version", "harness " SENDPROOF_VERSION);
  app.footer(std::string(kFooter));
  CLI::App& list = *app.add_subcommand("list", "Show the scenarios");
  list.add_flag("--json", raw.list.json, "Print one JSON document");
  CLI::App& run = *app.add_subcommand("run", "Run a scenario against senders");
  define_run(run, raw);
  CLI::App& audit = *app.add_subcommand(
      "audit", "Say who got how many mails, from a table and the provider's ledger");
  define_audit(audit, raw);
  raw.simulation.define(app);
  std::vector<std::string> commands;
  std::vector<CLI::App*> apps = app.get_subcommands({});
  for (const CLI::App* each_command : apps) commands.push_back(each_command->get_name());

  if (words.empty())
    return refused(
        "", fmt::format("a command is missing: {}; see harness --help", fmt::join(commands, ", ")));
  if (!words[0].starts_with('-') && std::ranges::find(commands, words[0]) == commands.end())
    return refused("", fmt::format("no command is named \"{}\"; {}", words[0],
                                   scenarios::suggestion(words[0], commands)));

  app.require_subcommand(0, 1);  // a second command's name is a word too many
  apps.push_back(&app);
  for (CLI::App* each_app : apps) {
    each_app->allow_extras();
    for (CLI::Option* option : each_app->get_options())
      option->disable_flag_override();  // no --json=3
  }
  const std::string command = words[0].starts_with('-') ? "" : words[0];
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForVersion& version) {
    return Print{std::string(version.what()) + "\n"};
  } catch (const CLI::CallForHelp&) {
    return Print{app.help()};
  } catch (const CLI::ArgumentMismatch& error) {
    return refused(command,
                   fmt::format("{}; see harness {} --help", mismatch(error.what()), command));
  } catch (const CLI::ParseError& error) {
    return refused(command,
                   fmt::format("{}; see harness {} --help", one_line(error.what()), command));
  }

  const std::vector<CLI::App*> parsed = app.get_subcommands();
  if (parsed.empty()) return refused("", unexpected_word(app));
  const CLI::App& chosen = *parsed.front();
  if (const std::string word = unexpected_word(chosen); !word.empty())
    return refused(command, word);
  const std::string problem = &chosen == &list    ? ""
                              : &chosen == &run   ? run_problem(raw)
                              : &chosen == &audit ? audit_problem(raw)
                                                  : raw.simulation.problem(chosen);
  if (!problem.empty()) return refused(command, problem);
  if (list.parsed()) return raw.list;
  if (run.parsed()) return raw.run;
  if (audit.parsed()) return raw.audit;
  return std::visit([](const auto& arguments) { return Arguments(arguments); },
                    raw.simulation.arguments(chosen));
}

std::string again(std::string_view program, const RunArguments& arguments, std::uint64_t seed) {
  std::string out = fmt::format("{} run {} --seed {}", program, quoted(arguments.scenario), seed);
  if (!arguments.options.tier.empty()) out += " --tier " + arguments.options.tier;
  if (!arguments.options.bug.empty()) out += " --bug " + quoted(arguments.options.bug);
  for (const std::string& sender : arguments.options.senders) out += " --sender " + quoted(sender);
  for (const std::string& setting : arguments.overrides.settings)
    out += " --set " + quoted(setting);
  if (!arguments.options.setup_file.empty())
    out += " --setup " + quoted(arguments.options.setup_file);
  if (arguments.options.real_time) out += " --real-time";
  if (arguments.options.shift_now) out += " --shift-now";
  return out;
}

}  // namespace harness::cli
