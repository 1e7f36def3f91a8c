// One sender on one audience: its database, its provider, its processes, the scenario's events, the
// count.
//
// The run loop is one thread that owns everything; other threads only put reports into a queue. It
// looks at the facts (counters, memory, idleness) at most each 20 ms.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "harness/run.h"
#include "harness/subject.h"
#include "reports/result.h"
#include "scenarios/scenario.h"

namespace harness {

struct SenderRunInput {
  const scenarios::Scenario& scenario;
  const RunOptions& options;
  const Subject& subject;
  Progress& progress;
  std::int64_t members = 0;
  std::string server_dsn;
  std::filesystem::path folder;    // of the run
  std::filesystem::path run_lock;  // see run_lock.h
};

std::expected<reports::SenderResult, RunError> run_sender(const SenderRunInput& input);

}  // namespace harness
