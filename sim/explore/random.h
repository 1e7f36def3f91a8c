// Random schedules. A seed decides everything: the world's size, which faults may happen, who
// moves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/rng.h"
#include "sim/explore/conflict.h"
#include "sim/schedule/schedule.h"

namespace sim {

enum class Strategy : std::uint8_t {
  uniform,     // everybody who can move is as likely to
  priorities,  // the most important one moves; importance changes a few times (Burckhardt and
               // others: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
               // 2010)
  followed,    // the default schedule, left now and then
  reversed,    // a uniform one, and again with two conflicting moves the other way round (Flanagan
               // and Godefroid: Dynamic Partial-Order Reduction, 2005, by chance instead of all)
};

// How often each point was passed in each way. Of kills and freezes: by what was under way.
struct Coverage {
  std::array<std::array<std::int64_t, choice_count>, command_count> passed{};
  std::array<std::array<std::int64_t, command_count>, 2>
      struck{};  // [kill, freeze][pending command]
  void count(const World& world, const Offer& offer);
  void add(const Coverage& other);
};

// Draws the next move of a world; its state is the random stream, and what is being held back.
class RandomChooser {
 public:
  // Requires: every world that it is asked about has these settings.
  RandomChooser(const WorldSettings& settings, std::uint64_t seed);
  Offer choose(const World& world);
  // What it reverses; nothing: no pair, or another strategy.
  const std::optional<Reversal>& reversal() const { return reversal_; }

 private:
  RandomChooser(std::uint64_t seed, Strategy strategy, int workers);
  void hold_back(const World& world);
  std::uint64_t below(std::uint64_t bound) { return rng_.next() % bound; }
  std::size_t pick(const World& world);
  std::int64_t importance(int actor) const;

  core::Rng rng_;
  Strategy strategy_;
  int fault_permille_;
  int misfortune_permille_;
  int slow_permille_;
  std::array<std::int64_t, 16> importance_{};
  std::array<std::int64_t, 4> changes_{};  // steps at which the followed one loses importance
  std::optional<Reversal> reversal_;
  bool holding_ = false;
  std::vector<Offer> offers_;
  std::vector<Choice> choices_;
};

struct RandomRun {
  std::int64_t steps = 0;
  std::int64_t repeats = 0;
  std::int64_t stale_writes = 0;
  std::optional<Verdict> verdict;
  std::uint64_t fingerprint = 0;
};

// One schedule. Coverage is added to when given.
RandomRun run_random(const WorldSettings& settings, std::uint64_t seed, Coverage* coverage);
// The same once more, as deviations from the default schedule.
std::vector<Deviation> deviations_of(const WorldSettings& settings, std::uint64_t seed);

Strategy strategy_of(std::uint64_t seed);

// The settings that a seed stands for: up to four workers and twelve members at first (one in
// fifty: one or two, and up to forty), a subset of
// faults.
WorldSettings drawn_settings(std::uint64_t seed);

}  // namespace sim
