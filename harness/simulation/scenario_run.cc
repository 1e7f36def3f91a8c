#include "harness/simulation/scenario_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/counting/memory_growth.h"
#include "harness/simulation/explore.h"
#include "harness/simulation/scripted_night.h"

namespace harness {

// Everything that can be refused is refused before anything is run.
std::optional<std::string> simulator_refuses(const scenarios::Scenario& scenario,
                                             const RunOptions& options) {
  for (const std::string& sender : options.senders) {
    if (sender != "reference" && sender != "naive")
      return fmt::format(
          "--sender {}: the simulator runs reference and naive; programs run with --tier process",
          sender);
  }
  if (!options.bug.empty() && std::ranges::find(options.senders, "naive") != options.senders.end())
    return "--bug: it is planted in the reference sender; give --sender reference";
  if (!options.setup_file.empty())
    return "--setup: the simulator has no SQL; it works with --tier process";
  if (!options.dsn.empty() && options.tier == "sim")
    return "--dsn: the simulator has a model for a database; it works with --tier process";
  if (options.real_time)
    return "--real-time: the simulator's time is virtual; it works with --tier process";
  if (options.shift_now)
    return "--shift-now: the simulator has no now(); it works with --tier process";
  sim::WorldSettings settings;
  if (const std::string wrong = plant(settings, options.bug); !wrong.empty())
    return "--bug: " + wrong;
  for (const scenarios::Scenario* variant : scenarios::variants_of(scenario)) {
    const auto policy = policy_of(*variant);
    if (!policy)
      return (variant->choice.empty() ? "" : fmt::format("choice \"{}\": ", variant->choice)) +
             policy.error().message;
  }
  return std::nullopt;
}

std::expected<reports::RunResult, RunError> run_in_simulator(const scenarios::Scenario& scenario,
                                                             const RunOptions& options,
                                                             Progress& progress,
                                                             const std::function<bool()>& stop,
                                                             const MakeMirror& make_mirror) {
  if (const auto refused = simulator_refuses(scenario, options))
    return std::unexpected(RunError{*refused});
  std::vector<std::string> senders = options.senders;
  if (senders.empty()) senders = scenarios::usual_senders(scenario);
  reports::RunResult result;
  result.scenario = scenario.name;
  result.title = scenario.title;
  result.tier = "sim";
  result.seed = scenario.seed;
  result.run = options.out_folder.filename().string();
  result.postgres_source = "the simulator's model of PostgreSQL 17";
  for (const scenarios::Scenario* variant : scenarios::variants_of(scenario)) {
    for (const std::int64_t members : variant->audience.members) {
      for (const std::string& sender : senders) {
        const NightInput input{*variant, sender, members, options.bug, progress, stop, make_mirror};
        auto one = ScriptedNight(input).run();
        if (!one) return std::unexpected(one.error());
        one->choice = variant->choice;
        result.senders.push_back(std::move(*one));
      }
    }
  }
  if (scenario.measure_database)
    result.senders.front().notes.emplace_back(
        "what claims and records cost a database is measured by --tier process");
  if (scenario.measure_memory) note_memory_growth(result.senders, "memory held", 0);
  return result;
}

}  // namespace harness
