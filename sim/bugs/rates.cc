// Limits that are not shared, or not kept.
#include <algorithm>
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::operator""s;

void a_limit(WorldSettings& world) {
  world.members = 12;
  world.workers = 3;
  world.policy.rate_per_s = 5;
  world.policy.batch = world.policy.lanes = 4;
}

// As if every process had a row of its own; count: when its next slot is, in microseconds.
void own_slots(Sabotage& process, const core::StoreCommand& command, core::StoreAnswer& answer) {
  auto* slots = std::get_if<core::SlotsReserved>(&answer.result);
  if (slots == nullptr) return;
  const std::int64_t now = answer.db_now.time_since_epoch().count();
  const std::int64_t first = std::max(now, process.count);
  slots->first = core::DbTime(core::Duration(first));
  process.count = first + std::get<core::ReserveSlots>(command).count * slots->interval.count();
}

void own_pause(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  if (auto* rechecked = std::get_if<core::Rechecked>(&answer.result)) {
    rechecked->paused_until.reset();
  } else if (auto* slots = std::get_if<core::SlotsReserved>(&answer.result)) {
    slots->paused_until.reset();
  }
}

void no_limit(WorldSettings& world) {
  a_limit(world);
  world.worker_policy = world.policy;
  world.worker_policy->rate_per_s = 0;
}

void late_slots_used(WorldSettings& world) {
  a_limit(world);
  world.budget[Fault::freeze] = 2;
  world.worker_policy = world.policy;
  world.worker_policy->slot_max_lateness = 10s;
}

constexpr std::array bugs{
    PlantedBug{.name = "limit-per-process",
               .story = "Every process keeps the limit for itself, and together they exceed it.",
               .caught_by = Oracle::S13,
               .only = true,
               .plant = a_limit,
               .answer = own_slots},
    PlantedBug{.name = "no-limit",
               .story = "Requests start as fast as there are lanes.",
               .caught_by = Oracle::S13,
               .plant = no_limit},
    PlantedBug{.name = "late-slots-used",
               .story = "Slots that were missed are used later, all at once.",
               .caught_by = Oracle::S13,
               .plant = late_slots_used},
    PlantedBug{.name = "pause-kept-to-oneself",
               .story = "After a 429 only the worker that heard it pauses; the others go on.",
               .caught_by = Oracle::S13,
               .only = true,
               .plant = [](WorldSettings& world) { world.budget[Fault::refusal] = 1; },
               .answer = own_pause},
};

}  // namespace

std::span<const PlantedBug> rates() {
  return bugs;
}

}  // namespace sim::bugs
