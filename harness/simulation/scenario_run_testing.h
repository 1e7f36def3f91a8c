// A scenario in the simulator without a word on the way, for tests.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "harness/silent_progress.h"
#include "harness/simulation/scenario_run.h"

namespace harness {

inline std::expected<reports::RunResult, RunError> simulated(const scenarios::Scenario& scenario,
                                                             std::vector<std::string> senders,
                                                             const std::string& bug = {}) {
  SilentProgress progress;
  RunOptions options;
  options.senders = std::move(senders);
  options.bug = bug;
  return run_in_simulator(scenario, options, progress, [] { return false; });
}

}  // namespace harness
