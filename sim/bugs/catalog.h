// All planted bugs, and the worlds in which they strike.
#pragma once

#include <span>
#include <string_view>

#include "sim/bugs/planted_bug.h"
#include "sim/world/settings.h"

namespace sim {

std::span<const PlantedBug* const> all_bugs();
const PlantedBug* find_bug(std::string_view name);  // nullptr: no such bug

// The world in which the bug can strike, with the bug in it. The bug must outlive it.
WorldSettings planted(const PlantedBug& bug);
// The same world with the right sender. It must hold whatever happens in it.
WorldSettings without_bug(WorldSettings settings);

}  // namespace sim
