// Opt-outs that are looked at too seldom.
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::operator""s;

void an_opt_out(WorldSettings& world) {
  world.budget[Fault::opt_out] = 2;
}

void believed_for_long(WorldSettings& world) {
  an_opt_out(world);
  world.worker_policy = world.policy;
  world.worker_policy->recheck_max_age = 10s;
}

void nobody_is_held_back(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  if (auto* rechecked = std::get_if<core::Rechecked>(&answer.result)) rechecked->held_back.clear();
}

void opted_out_remain(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  if (auto* totals = std::get_if<core::Totals>(&answer.result))
    totals->remaining += totals->opted_out;
}

constexpr std::array bugs{
    PlantedBug{.name = "opt-outs-read-at-claim-only",
               .story = "Who opts out after the claim is mailed all the same.",
               .caught_by = Oracle::S2,
               .plant = an_opt_out,
               .answer = nobody_is_held_back},
    PlantedBug{.name = "opt-out-check-too-old",
               .story = "A check is believed for ten seconds, and a request starts long after the "
                        "member has opted out.",
               .caught_by = Oracle::S2,
               .only = true,
               .plant = believed_for_long},
    PlantedBug{.name = "opted-out-counted-as-remaining",
               .story = "Who has opted out counts as left to do, and the run never ends.",
               .caught_by = Oracle::liveness,
               .plant = an_opt_out,
               .answer = opted_out_remain},
};

}  // namespace

std::span<const PlantedBug> opt_outs() {
  return bugs;
}

}  // namespace sim::bugs
