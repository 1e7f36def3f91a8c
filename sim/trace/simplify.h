// A failing schedule in a plainer world: what a reader of its trace needn't know about is as usual.
#pragma once

#include "sim/schedule/schedule.h"

namespace sim {

// Shrinks, and sets each setting to its usual value that the violation can do with; sizes stay as
// shrunk. Requires: the deviations break `oracle`.
Shrunk simplify(const WorldSettings& settings, const std::vector<Deviation>& deviations,
                Oracle oracle);

}  // namespace sim
