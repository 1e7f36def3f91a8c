// What only a campaign shows that changes while it is sent.
#include <algorithm>
#include <array>

#include "sim/bugs/families.h"
#include "sim/bugs/needs.h"

namespace sim::bugs {
namespace {

// Who asked for a count in place of the sweep is told that nobody remains.
void counts_without_sweep(Sabotage& process, core::StoreCommand& command) {
  process.count = std::holds_alternative<core::Sweep>(command) ? 1 : 0;
  if (process.count == 1) command = core::CountTotals{};
}

void nobody_remains(Sabotage& process, const core::StoreCommand&, core::StoreAnswer& answer) {
  auto* totals = std::get_if<core::Totals>(&answer.result);
  if (totals != nullptr && process.count == 1) totals->remaining = 0;
}

// Three members in a range that two were planned for.
void opt_outs_withdrawn(WorldSettings& world) {
  world.budget[Fault::opt_out] = 2;
  world.budget[Fault::withdraw_opt_out] = 2;
}

void one_worker(WorldSettings& world) {
  world.workers = 1;
}

void one_who_remembers(WorldSettings& world) {
  opt_outs_withdrawn(world);
  one_worker(world);
}

void held_back_for_good(Sabotage& process, const core::StoreCommand& command,
                        core::StoreAnswer& answer) {
  auto* rechecked = std::get_if<core::Rechecked>(&answer.result);
  if (rechecked == nullptr) return;
  process.members.insert(process.members.end(), rechecked->held_back.begin(),
                         rechecked->held_back.end());
  for (const core::MemberId asked : std::get<core::Recheck>(command).members) {
    if (std::ranges::find(process.members, asked) != process.members.end())
      rechecked->held_back.push_back(asked);
  }
}

void two_priorities(WorldSettings& world) {
  world.priorities = 2;
}

void one_priority(WorldSettings& world) {
  world.priorities = 1;
}

void nobody_is_halted(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  if (auto* rechecked = std::get_if<core::Rechecked>(&answer.result)) rechecked->halted = false;
}

void a_long_list(WorldSettings& world) {
  world.members = 30;
  world.workers = 1;
  world.policy.batch = world.policy.lanes = 6;
  world.budget[Fault::outage] = 1;
  world.steps_max = 5'000;
}

// Who waits for better weather has been heard of, and its attempts stay as they were.
void waiting_costs(Sabotage&, core::StoreCommand& command) {
  const auto charge = [](std::vector<core::Outcome>& outcomes) {
    for (core::Outcome& outcome : outcomes) {
      if (outcome.state == core::RowState::pending && outcome.delay && outcome.attempts == 0)
        outcome.attempts = 1;
    }
  };
  if (auto* batch = std::get_if<core::RecordBatch>(&command)) charge(batch->others);
  if (auto* retries = std::get_if<core::RecordRetries>(&command)) charge(retries->others);
}

constexpr std::array bugs{
    PlantedBug{.name = "late-members-forgotten",
               .story = "Once the batches and the retries are done nobody looks for members that "
                        "no batch covers, and who was added late is never mailed.",
               .caught_by = Oracle::S12,
               .plant = strikes<Fault::add_member, 1>,
               .calm = strikes<Fault::add_member, 0>,
               .command = counts_without_sweep,
               .answer = nobody_remains},
    PlantedBug{.name = "opt-out-believed-for-good",
               .story = "A worker keeps a list of those whom the check held back, and never asks "
                        "for who has withdrawn the opt-out.",
               .caught_by = Oracle::liveness,
               .only = true,
               .plant = one_who_remembers,
               .calm = strikes<Fault::withdraw_opt_out, 0>,
               .answer = held_back_for_good},
    PlantedBug{.name = "claim_batch.limit",
               .story = "A claim hands over everybody in its range, also who had opted out when it "
                        "was planned and has withdrawn that: more than a batch.",
               .caught_by = Oracle::S8,
               .plant = drop<Conjunct::claim_batch_limit, opt_outs_withdrawn>,
               .calm = strikes<Fault::withdraw_opt_out, 0>},
    PlantedBug{.name = "record_batch.doubted",
               .story = "A member who may have been sent opts out, the batch ends and with it what "
                        "is known of that; the opt-out is withdrawn, and the key used beyond its "
                        "window.",
               .caught_by = Oracle::S16,
               .only = true,
               .plant = drop<Conjunct::record_batch_doubted, opt_outs_withdrawn,
                             strikes<Fault::kill, 1>, short_window>,
               .calm = strikes<Fault::withdraw_opt_out, 0>},
    PlantedBug{.name = "pause-read-at-claim-only",
               .story = "A person pauses the campaign, and who has claimed members goes on "
                        "sending them.",
               .caught_by = Oracle::S18,
               .only = true,
               .plant = strikes<Fault::pause_campaign, 1>,
               .calm = strikes<Fault::pause_campaign, 0>,
               .answer = nobody_is_halted},
    PlantedBug{.name = "claim_batch.paused",
               .story = "A person pauses the campaign, and batches are claimed all the same.",
               .caught_by = Oracle::S18,
               .only = true,
               .plant = drop<Conjunct::claim_batch_paused, strikes<Fault::pause_campaign, 1>>,
               .calm = strikes<Fault::pause_campaign, 0>},
    PlantedBug{.name = "claim_retries.paused",
               .story = "A person pauses the campaign, and retries are claimed all the same.",
               .caught_by = Oracle::S18,
               .only = true,
               .plant = drop<Conjunct::claim_retries_paused, strikes<Fault::pause_campaign, 1>,
                             some_fail_at_first>,
               .calm = strikes<Fault::pause_campaign, 0>},
    PlantedBug{.name = "probes-cost-attempts",
               .story = "After an outage was seen for what it is, each probe that fails costs its "
                        "member an attempt.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = a_long_list,
               .calm = strikes<Fault::outage, 0>,
               .command = waiting_costs},
    PlantedBug{.name = "claim_batch.order",
               .story = "Batches are claimed in order of their members, and those of less "
                        "importance before others that are free.",
               .caught_by = Oracle::S17,
               .only = true,
               .plant = drop<Conjunct::claim_batch_order, two_priorities>,
               .calm = one_priority},
    PlantedBug{.name = "claim_batch.priority",
               .story = "A claim hands over whoever is in its range, also those of other "
                        "priorities, who are in other batches.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::claim_batch_priority, two_priorities>,
               .calm = one_priority},
    PlantedBug{
        .name = "read_back_batch.priority",
        .story = "A claim that is read back hands over those of other priorities.",
        .caught_by = Oracle::S3,
        .plant =
            drop<Conjunct::read_back_batch_priority, two_priorities, strikes<Fault::statement, 2>>,
        .calm = one_priority},
    PlantedBug{.name = "record_batch.rest_priority",
               .story = "A batch is put up again as long as somebody of another priority in its "
                        "range is open, and comes before the batch that he is in.",
               .caught_by = Oracle::liveness,
               .only = true,
               .plant = drop<Conjunct::record_batch_rest_priority, two_priorities, one_worker>,
               .calm = one_priority},
};

}  // namespace

std::span<const PlantedBug> campaign() {
  return bugs;
}

}  // namespace sim::bugs
