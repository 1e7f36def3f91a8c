#include "sim/bugs/hunt.h"

#include "sim/explore/random.h"

namespace sim {
namespace {

// Shrinking ends where leaving out any one more loses the failure; another failure of the same kind
// may end lower. Below the twelve choices that a reader can still follow.
constexpr std::size_t short_enough = 11;
constexpr int failures_looked_at = 4;

}  // namespace

std::optional<Catch> hunt(const WorldSettings& world, std::uint64_t seeds_max) {
  std::optional<Catch> best;
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= seeds_max && failures < failures_looked_at; ++seed) {
    const RandomRun run = run_random(world, seed, nullptr);
    if (!run.verdict || (best && run.verdict->oracle != best->verdict.oracle)) continue;
    ++failures;
    Catch found{best ? best->schedules : seed, *run.verdict,
                shrink(world, deviations_of(world, seed), run.verdict->oracle)};
    if (!best || found.shrunk.deviations.size() < best->shrunk.deviations.size())
      best = std::move(found);
    if (best->shrunk.deviations.size() <= short_enough) break;
  }
  return best;
}

}  // namespace sim
