// Every schedule within a bound: all orders, and every fault of the budget at every point. Worlds
// that will go on alike are looked at once. In a small world that goes further than
// World::fingerprint(): see core::Digest::Detail::ahead and whoever asks only_ahead(). Small: fewer
// members than the weather needs bad ones, fewer answers than it looks at, no 429, and no crash of
// the database.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/schedule/schedule.h"

namespace sim {

struct Exhausted {
  std::int64_t states = 0;  // distinct worlds
  std::int64_t moves = 0;   // made from them
  std::int64_t ends = 0;    // worlds in which everybody has left
  std::int64_t deepest = 0;
  bool complete = false;             // nothing within the bound is left
  std::optional<Verdict> verdict;    // the first
  std::vector<Move> path;            // to the verdict, where the search stopped at it
  std::bitset<oracle_count> broken;  // by any verdict
};

struct ExhaustOptions {
  bool exact = false;          // takes worlds for one only if their fingerprints say so
  bool past_verdicts = false;  // goes on to find all that can be broken
};

// Stops at the first verdict, or when `go_on` (asked now and then) says no.
Exhausted exhaust(const WorldSettings& settings,
                  const std::function<bool(const Exhausted&)>& go_on = {},
                  const ExhaustOptions& options = {});

// A path of moves as deviations from the default schedule.
std::vector<Deviation> deviations_of(const WorldSettings& settings, const std::vector<Move>& path);

// 3 workers x 3 batches x 1 member x 1 lane, and 2 x 2 x 2 x 2; at most one crash and one fault.
WorldSettings bound_three();
WorldSettings bound_two();

}  // namespace sim
