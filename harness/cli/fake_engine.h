// An engine for the tests of the command line: it starts nothing and says what it is told to.
#pragma once

#include <functional>

#include "harness/run.h"

namespace harness {

using FakeRun = std::function<std::expected<reports::RunResult, RunError>(
    const scenarios::Scenario&, const RunOptions&, Progress&)>;

// What run_scenario() does. At first: every sender reaches each member once and ends with 0; with
// the environment variable FAKE_ENGINE=wait it goes on until it is told to stop.
FakeRun& fake_run();

}  // namespace harness
