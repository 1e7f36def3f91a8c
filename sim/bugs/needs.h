// What it takes for a missing part to be missed.
#pragma once

#include "sim/world/settings.h"

namespace sim::bugs {

using Needs = void (*)(WorldSettings&);

template <Fault fault, int count>
void strikes(WorldSettings& world) {
  world.budget[fault] = count;
}

template <Conjunct part, Needs... needs>
void drop(WorldSettings& world) {
  world.dropped.push_back(part);
  (needs(world), ...);
}

}  // namespace sim::bugs
