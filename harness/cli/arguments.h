// The command line of `harness`, read into plain values.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "harness/audit.h"
#include "harness/cli/simulation_arguments.h"
#include "harness/run.h"
#include "scenarios/reader.h"

namespace harness::cli {

struct Print {  // --help, --version
  std::string text;
};

struct ListArguments {
  bool json = false;
};

struct RunArguments {
  std::string scenario;
  scenarios::Overrides overrides;
  RunOptions options;  // without out_folder, which is the run's own
  std::filesystem::path out = "out";
  bool json = false;
};

struct AuditArguments {
  AuditOptions options;
  bool json = false;
};

using Arguments = std::variant<Print, ListArguments, RunArguments, AuditArguments, ExploreArguments,
                               ExhaustArguments, ReplayArguments, ShrinkArguments, DoctorArguments>;

// One line: what, where, and what would be right.
struct UsageError {
  std::string message;
};

// `words`: without the program's name.
std::expected<Arguments, UsageError> parse_arguments(const std::vector<std::string>& words);

// The command that repeats a run, quoted for a POSIX shell. program: as it was called.
std::string again(std::string_view program, const RunArguments& arguments, std::uint64_t seed);

}  // namespace harness::cli
