// The search for a planted bug: random schedules of its world until an oracle is broken, then as
// little of the schedule as still breaks it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/bugs/planted_bug.h"
#include "sim/schedule/schedule.h"

namespace sim {

struct Catch {
  std::uint64_t schedules = 0;  // tried up to the first failure
  Verdict verdict;
  Shrunk shrunk;
};

// Tries the seeds from 1 on until a failure is short enough or four have been shrunk, at most
// seeds_max. Returns the shortest; nothing: the bug survives. Deterministic.
std::optional<Catch> hunt(const WorldSettings& world, std::uint64_t seeds_max);

}  // namespace sim
