#include "harness/cli/simulation_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <thread>

#include "harness/simulation/explore.h"
#include "scenarios/nearest.h"

namespace harness::cli {
namespace {

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// Returns: what is wrong, or "". An option that wasn't given changes nothing.
template <class Number>
std::string read_number(std::string_view option, const std::string& text, std::int64_t least,
                        Number& to) {
  if (text.empty()) return "";
  Number number = 0;
  if (!parse(text, number) || (least > 0 && number < static_cast<Number>(least)))
    return fmt::format("{} {}: must be an integer from {} to {}", option, text, least,
                       std::numeric_limits<Number>::max());
  to = number;
  return "";
}

std::string read_budget(const std::string& text, std::chrono::milliseconds& to) {
  if (text.empty()) return "";
  const std::size_t unit_at = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = std::string_view(text).substr(unit_at);
  const std::int64_t factor = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "m" ? 60'000 : 0;
  std::int64_t count = 0;
  if (factor == 0 || !parse(std::string_view(text).substr(0, unit_at), count) || count < 1 ||
      count > 1'000'000'000)
    return fmt::format("--budget {}: must be a time like 500ms, 60s or 5m", text);
  to = std::chrono::milliseconds(count * factor);
  return "";
}

std::string bug_problem(const std::string& bug) {
  if (bug == bug_list_word) return "";
  sim::WorldSettings settings;
  const std::string problem = plant(settings, bug);
  return problem.empty() ? "" : "--bug: " + problem;
}

constexpr const char* bug_help =
    "Plant a wrong sender, or leave a part out of a\nstatement, like record_batch.token; list: "
    "show all";

}  // namespace

void SimulationOptions::define(CLI::App& app) {
  define_explore(*app.add_subcommand("explore", "Try random schedules of the reference sender"));
  define_exhaust(*app.add_subcommand("exhaust", "Try all schedules within a small bound"));
  define_replay(*app.add_subcommand("replay", "Run a recorded schedule and tell its story"));
  CLI::App& shrink = *app.add_subcommand("shrink", "Make a failing schedule as short as it gets");
  shrink.add_option("FILE", shrink_.file, "A trace that fails");
  shrink.add_option("-o,--output", shrink_.to, "Where the short one goes (without: FILE.shrunk)")
      ->type_name("FILE");
  define_doctor(*app.add_subcommand("doctor", "Prove that a seed always goes the same way"));
  for (const char* name : {"explore", "exhaust", "replay", "shrink", "doctor"})
    commands_.push_back(app.get_subcommand(name));
}

void SimulationOptions::define_explore(CLI::App& app) {
  app.add_option("--budget", budget_, "How long, like 60s or 5m (without: 60s)")->type_name("TIME");
  app.add_option("--schedules", schedules_, "At most so many schedules")->type_name("N");
  app.add_option("--jobs", jobs_, "Threads (without: one a core); the result is the same")
      ->type_name("N");
  app.add_option("--seed", seed_, "The first; schedule by schedule one more (without: 1)")
      ->type_name("N");
  app.add_option("--bug", explore_.bug, bug_help)->type_name("NAME");
  app.add_option("--out", explore_.out,
                 "Where explore/<run>/trace.txt goes, if one fails\n(without: out)")
      ->type_name("DIR");
  app.add_flag("--json", explore_.json, "Print one JSON document");
}

void SimulationOptions::define_exhaust(CLI::App& app) {
  app.add_option("--bound", exhaust_.bound,
                 "2x2x2x2, 3x3x1x1 (workers x batches x members a\nbatch x lanes) or both")
      ->type_name("BOUND");
  app.add_option("--budget", budget_, "How long for each, like 60s or 5m (without: 60s)")
      ->type_name("TIME");
  app.add_option("--bug", exhaust_.bug, bug_help)->type_name("NAME");
  app.add_option("--out", exhaust_.out,
                 "Where exhaust/<run>/trace.txt goes, if one fails\n(without: out)")
      ->type_name("DIR");
  app.add_flag("--json", exhaust_.json, "Print one JSON document");
}

void SimulationOptions::define_replay(CLI::App& app) {
  app.add_option("TRACE", replay_.trace, "A trace file, or the word that a failing run ends with");
  app.add_flag("--all", replay_.whole, "Every step, also of a long schedule");
  app.add_flag("--resign", replay_.resign,
               "First make the checksums of the file right, after\nan edit by hand");
  app.add_option("-o,--output", replay_.to, "Write what happens now as a trace")->type_name("FILE");
  app.add_flag("--json", replay_.json, "Print one JSON document");
}

void SimulationOptions::define_doctor(CLI::App& app) {
  app.add_option("--schedules", schedules_, "So many seeds (without: 2000)")->type_name("N");
  app.add_option("--seed", seed_, "The first (without: 1)")->type_name("N");
  app.add_option("--print", doctor_.print,
                 "seeds or steps: only print the hashes, to compare\nwith another machine's")
      ->type_name("WHAT");
}

std::string SimulationOptions::numbers() {
  explore_.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::int64_t schedules = 0;
  for (const std::string& problem :
       {read_budget(budget_, explore_.budget), read_number("--jobs", jobs_, 1, explore_.jobs),
        read_number("--seed", seed_, 0, explore_.seed),
        read_number("--schedules", schedules_, 1, schedules)}) {
    if (!problem.empty()) return problem;
  }
  if (explore_.jobs > 1000) return fmt::format("--jobs {}: must be at most 1000", jobs_);
  exhaust_.budget = explore_.budget;
  doctor_.seed = explore_.seed;
  if (schedules > 0) {
    explore_.schedules = schedules;
    doctor_.schedules = schedules;
  }
  return "";
}

std::string SimulationOptions::problem(const CLI::App& command) {
  if (const std::string wrong = numbers(); !wrong.empty()) return wrong;
  const std::string& name = command.get_name();
  if (name == "explore") return bug_problem(explore_.bug);
  if (name == "exhaust") {
    const std::vector<std::string> bounds{"2x2x2x2", "3x3x1x1", "both"};
    if (std::ranges::find(bounds, exhaust_.bound) == bounds.end())
      return fmt::format("--bound {}: there is no such bound; {}", exhaust_.bound,
                         scenarios::suggestion(exhaust_.bound, bounds));
    return bug_problem(exhaust_.bug);
  }
  if (name == "replay" && replay_.trace.empty())
    return "the trace is missing: a file, or the word that a failing run ends with";
  if (name == "shrink" && shrink_.file.empty())
    return "the trace is missing, like out/explore/RUN/trace.txt";
  const std::vector<std::string> prints{"seeds", "steps"};
  if (name == "doctor" && !doctor_.print.empty() &&
      std::ranges::find(prints, doctor_.print) == prints.end())
    return fmt::format("--print {}: there is no such list; {}", doctor_.print,
                       scenarios::suggestion(doctor_.print, prints));
  return "";
}

SimulationArguments SimulationOptions::arguments(const CLI::App& command) const {
  const std::string& name = command.get_name();
  if (name == "explore") return explore_;
  if (name == "exhaust") return exhaust_;
  if (name == "replay") return replay_;
  if (name == "shrink") return shrink_;
  return doctor_;
}

}  // namespace harness::cli
