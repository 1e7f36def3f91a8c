// A scenario in the simulator: the same file, Job, events, counting and expectations as on real
// parts (run.h), over the models of PostgreSQL and of the provider, in virtual time. The reference
// sender is its own core with every oracle watching; the naive one is the machine that its program
// drives.
//
// What differs from real parts: an answer takes 1 ms where the scenario says nothing of latency;
// statements take no time; `peak_rss_bytes` is the memory that the sender's state holds, without a
// program around it; `skipped` is the night's virtual length. The same scenario and seed give the
// same result, to the last number but `wall` and the name of the run.
//
// Threads: runs in the caller's. Errors: one line.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "harness/run.h"
#include "harness/simulation/mirror.h"
#include "reports/result.h"
#include "scenarios/scenario.h"

namespace harness {

// Returns: why the simulator can't run this, in one line. Nothing: it can.
std::optional<std::string> simulator_refuses(const scenarios::Scenario& scenario,
                                             const RunOptions& options);

// `stop` is asked now and then; yes: the error "stopped". make_mirror: what the reference sender
// asks of the model is asked of a mirror too, and a difference is a failed check.
std::expected<reports::RunResult, RunError> run_in_simulator(const scenarios::Scenario& scenario,
                                                             const RunOptions& options,
                                                             Progress& progress,
                                                             const std::function<bool()>& stop,
                                                             const MakeMirror& make_mirror = {});

}  // namespace harness
