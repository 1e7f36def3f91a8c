// A schedule as what is special about it: the moves at which it leaves the default schedule. A
// world, its settings and these say everything; the rest follows by itself, also after the code has
// changed.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/world/world.h"

namespace sim {

// A move that was made, and how often the same actor had done the same about the same before.
struct Point {
  int actor = environment;
  Command command = Command::time;
  std::int64_t subject = 0;
  std::int64_t occurrence = 0;
  bool operator==(const Point&) const = default;
};

struct Deviation {
  Move move;
  // It is due once this has happened, and made when it is next offered. Nothing: from the start.
  std::optional<Point> after;
  bool operator==(const Deviation&) const = default;
};

struct Step {
  Move move;
  bool deviates = false;
};

// How well a schedule fitted the code.
enum class Fit : std::uint8_t {
  exact,    // every deviation was made at its step
  adapted,  // every deviation was made, some later than before
  stale,    // some could not be made
};

struct Replay {
  std::vector<Step> steps;
  std::vector<Deviation> made;  // those that were, in order, anchored anew
  std::vector<Deviation> left;  // those that were never offered when they were due, or never due
  std::optional<Verdict> verdict;
  std::uint64_t fingerprint = 0;
  Fit fit = Fit::exact;
};

// Runs the deviations from the start to the world's end. Deterministic.
Replay replay(const WorldSettings& settings, const std::vector<Deviation>& deviations);

// Counts points as they are passed.
class Passed {
 public:
  // Returns: the point that this move is.
  Point pass(const Move& move);
  bool has(const Point& point) const;

 private:
  struct Count {
    Move move;
    std::int64_t count = 0;
  };
  std::vector<Count> counts_;
};

// Notes the moves of a run as they are made, and keeps those that leave the default schedule.
class Recorder {
 public:
  // usual: what the default schedule would have done. Returns: this is something else.
  bool note(const Move& made, const Move& usual);
  const Passed& passed() const { return passed_; }
  std::vector<Deviation> take() { return std::move(deviations_); }

 private:
  Passed passed_;
  std::optional<Point> last_;
  std::vector<Deviation> deviations_;
};

// The same violation (by oracle) with as few deviations as removing one or several at a time
// leaves, then with fewer workers and members. Requires: the deviations break `oracle`.
struct Shrunk {
  WorldSettings settings;
  std::vector<Deviation> deviations;
  std::int64_t replays = 0;
};
Shrunk shrink(WorldSettings settings, std::vector<Deviation> deviations, Oracle oracle);

// The first step after which the verdict came whatever was done, as far as the default schedule and
// `tries` random ones without further faults can tell. Steps count from 1.
std::int64_t cause_of(const WorldSettings& settings, const Replay& failed, int tries = 16);

}  // namespace sim
