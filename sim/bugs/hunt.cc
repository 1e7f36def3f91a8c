#include "sim/bugs/hunt.h"

#include "sim/explore/random.h"

namespace sim {

std::optional<Catch> hunt(const WorldSettings& world, std::uint64_t seeds_max) {
  for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
    const RandomRun run = run_random(world, seed, nullptr);
    if (!run.verdict) continue;
    return Catch{seed, *run.verdict,
                 shrink(world, deviations_of(world, seed), run.verdict->oracle)};
  }
  return std::nullopt;
}

}  // namespace sim
