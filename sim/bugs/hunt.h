// The search for a planted bug: random schedules of its world until an oracle is broken, then as
// little of the schedule as still breaks it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/bugs/planted_bug.h"
#include "sim/schedule/schedule.h"

namespace sim {

struct Catch {
  std::uint64_t schedules = 0;  // tried when the first of them failed
  Verdict verdict;
  Shrunk shrunk;
};

// Runs the seeds 1 .. seeds_max. Nothing: the bug survives. Deterministic.
std::optional<Catch> hunt(const WorldSettings& world, std::uint64_t seeds_max);

}  // namespace sim
