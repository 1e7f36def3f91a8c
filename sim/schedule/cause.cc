#include "core/rng.h"
#include "sim/schedule/schedule.h"

namespace sim {
namespace {

// From here on without further faults; try 0 is the default schedule.
bool ends_well(World world, std::uint64_t seed) {
  core::Rng rng(core::mix(seed));
  std::vector<Offer> offers;
  while (!world.over()) {
    world.offers(offers);
    std::size_t pick = 0;
    if (seed > 0) pick = rng.next() % offers.size();
    const bool clock = offers[pick].move.command == Command::time;
    if (clock && offers.size() > 1) pick = 0;
    world.apply(offers[pick]);
  }
  return !world.verdict();
}

bool avoidable(const World& world, int tries) {
  for (int i = 0; i <= tries; ++i) {
    if (ends_well(world, static_cast<std::uint64_t>(i))) return true;
  }
  return false;
}

}  // namespace

std::int64_t cause_of(const WorldSettings& settings, const Replay& failed, int tries) {
  std::vector<World> before{World(settings)};
  for (const Step& step : failed.steps) {
    World world = before.back();
    world.apply(*world.find(step.move));
    before.push_back(std::move(world));
  }
  // What can't be avoided now can't be avoided later.
  std::size_t avoidable_after = 0;
  std::size_t inevitable_after = failed.steps.size();
  while (inevitable_after - avoidable_after > 1) {
    const std::size_t middle = (avoidable_after + inevitable_after) / 2;
    (avoidable(before[middle], tries) ? avoidable_after : inevitable_after) = middle;
  }
  return static_cast<std::int64_t>(inevitable_after);
}

}  // namespace sim
