// A broken oracle, from its schedule to what a person reads.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/cli/commands.h"
#include "sim/trace/trace.h"

namespace harness::cli {

struct Failure {
  sim::WorldSettings settings;  // of the shrunk schedule
  sim::Replay replay;
  sim::Trace trace;
  std::int64_t deviations_before = 0;
  std::optional<std::int64_t> cause;  // the step after which nothing helped
};

// Shrinks it, and looks for its cause. Requires: the deviations break `oracle`.
Failure understand(const sim::WorldSettings& settings,
                   const std::vector<sim::Deviation>& deviations, sim::Oracle oracle);

// "S4: a stale token changes nothing", what happened, the story, the cause.
std::string failure_text(const Failure& failure);

// Writes <out>/<command>/<run>/trace.txt. Returns: the file. Errors: one line.
std::expected<std::filesystem::path, std::string> write_failure(const Failure& failure,
                                                                const std::filesystem::path& out,
                                                                std::string_view command);

// The step after which the verdict came whatever was done. Nothing: too long a schedule to try.
std::optional<std::int64_t> cause(const sim::WorldSettings& settings, const sim::Replay& replay);

// "harness replay WORD"
std::string replay_line(const Terminal& terminal, const sim::Trace& trace);

}  // namespace harness::cli
