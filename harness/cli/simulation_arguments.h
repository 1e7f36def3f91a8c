// The arguments of the commands that simulate.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace harness::cli {

// `--bug list`: show all planted bugs, and search nothing.
inline constexpr std::string_view bug_list_word = "list";

struct ExploreArguments {
  std::chrono::milliseconds budget{60'000};
  int jobs = 1;
  std::uint64_t seed = 1;  // the first
  std::string bug;
  std::optional<std::int64_t> schedules;
  std::filesystem::path out = "out";
  bool json = false;
};

struct ExhaustArguments {
  std::string bound = "both";
  std::chrono::milliseconds budget{60'000};  // of each bound
  std::string bug;
  std::filesystem::path out = "out";
  bool json = false;
};

struct ReplayArguments {
  std::string trace;  // a file or a word
  bool whole = false;
  bool resign = false;
  std::filesystem::path to;  // empty: what happens now is written nowhere
  bool json = false;
};

struct ShrinkArguments {
  std::string file;
  std::filesystem::path to;  // empty: FILE.shrunk
};

struct DoctorArguments {
  std::int64_t schedules = 2000;
  std::uint64_t seed = 1;
  std::string print;  // "seeds" or "steps": only that
};

}  // namespace harness::cli
