// What it takes for a missing part to be missed.
#pragma once

#include "sim/world/settings.h"

namespace sim::bugs {

using Needs = void (*)(WorldSettings&);

template <Fault fault, int count>
void strikes(WorldSettings& world) {
  world.budget[fault] = count;
}

inline void some_fail_at_first(WorldSettings& world) {
  world.provider.rules.push_back({503, 2, 1});
}

// The provider still knows the keys: what is wrong shows in S16 alone.
inline void short_window(WorldSettings& world) {
  world.policy.dedupe_margin = core::Duration(60'000'000);
  world.policy.dedupe_window =
      world.policy.dedupe_margin + world.policy.lease + core::Duration(1'000'000);
}

template <Conjunct part, Needs... needs>
void drop(WorldSettings& world) {
  world.dropped.push_back(part);
  (needs(world), ...);
}

}  // namespace sim::bugs
