// Does a seed always go the same way? Each schedule as a number, computed again under other
// conditions: once more in the process, and in child processes with other addresses, locale, time
// zone and environment.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// A schedule's steps and worlds, folded.
struct SeedHash {
  std::uint64_t seed = 0;
  std::int64_t steps = 0;
  std::uint64_t hash = 0;
  bool operator==(const SeedHash&) const = default;
};

// One step: what was done, and the world after it.
struct StepHash {
  std::string move;
  std::uint64_t fingerprint = 0;
  bool operator==(const StepHash&) const = default;
};

std::vector<StepHash> steps_of_seed(std::uint64_t seed);
SeedHash hash_of(std::uint64_t seed, const std::vector<StepHash>& steps);

// Index of the first in which two lists differ, or where the shorter ends. Nothing: they are equal.
template <class Item>
std::optional<std::size_t> first_difference(const std::vector<Item>& left,
                                            const std::vector<Item>& right) {
  const std::size_t both = left.size() < right.size() ? left.size() : right.size();
  for (std::size_t i = 0; i < both; ++i) {
    if (!(left[i] == right[i])) return i;
  }
  if (left.size() != right.size()) return both;
  return std::nullopt;
}

// "seed 17 differs from step 5 on: w1 send m3 done, world 12ab...; elsewhere w2 kill - done, ..."
std::string describe_difference(std::uint64_t seed, const std::vector<StepHash>& here,
                                const std::vector<StepHash>& elsewhere);

// As `harness doctor --print` writes and reads them, one a line.
std::string to_line(const SeedHash& hash);
std::string to_line(const StepHash& step);
std::optional<SeedHash> seed_hash_of(std::string_view line);
std::optional<StepHash> step_hash_of(std::string_view line);

// Conditions under which a child computes the same.
struct Surroundings {
  std::string name;
  bool fixed_addresses = false;  // no address space randomisation
  std::vector<std::string> environment;
};
std::vector<Surroundings> other_surroundings();

// Runs this program again with `words`. Returns: the lines it printed. Errors: it can't be started,
// or doesn't end with 0.
std::expected<std::vector<std::string>, std::string> run_myself(
    const Surroundings& surroundings, const std::vector<std::string>& words);

}  // namespace harness
