// Wrong records: what is written of whom, and what is believed of the answer.
#include <algorithm>
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::operator""s;
using core::RecordBatch;
using core::Recorded;

// The claimed, to be recorded sent with whatever is recorded first.
void remember_claimed(Sabotage& process, const core::StoreCommand& command,
                      core::StoreAnswer& answer) {
  const auto* claimed = std::get_if<core::Claimed>(&answer.result);
  if (claimed == nullptr || !std::holds_alternative<core::ClaimBatch>(command)) return;
  process.members.clear();
  process.count = core::number(claimed->batch);
  for (const core::ClaimedMember& member : claimed->members) process.members.push_back(member.id);
}

void add_remembered(Sabotage& process, core::StoreCommand& command) {
  auto* record = std::get_if<RecordBatch>(&command);
  if (record == nullptr) return;
  for (const core::MemberId member : process.members) {
    const bool known =
        std::find(record->sent.begin(), record->sent.end(), member) != record->sent.end() ||
        std::any_of(record->others.begin(), record->others.end(),
                    [&](const core::Outcome& o) { return o.member == member; });
    if (!known) record->sent.push_back(member);
  }
  process.members.clear();
}

void add_claimed(Sabotage& process, core::StoreCommand& command) {
  const auto* record = std::get_if<RecordBatch>(&command);
  if (record != nullptr && core::number(record->batch) == process.count)
    add_remembered(process, command);
}

void remember_sent(Sabotage& process, core::MemberId member, core::SendAnswer& answer) {
  if (answer.status == 200) process.members.push_back(member);
}

void in_doubt_is_done(Sabotage&, const core::StoreCommand& command, core::StoreAnswer& answer) {
  if (answer.status != core::StoreStatus::in_doubt) return;
  Recorded recorded;
  if (const auto* batch = std::get_if<RecordBatch>(&command)) {
    recorded.changed = std::ssize(batch->sent) + std::ssize(batch->others);
  } else if (const auto* retries = std::get_if<core::RecordRetries>(&command)) {
    recorded.changed = std::ssize(retries->sent) + std::ssize(retries->others);
  } else {
    return;
  }
  answer.status = core::StoreStatus::answered;
  answer.result = recorded;
}

void forgets_the_last(Sabotage&, core::StoreCommand& command) {
  auto* record = std::get_if<RecordBatch>(&command);
  if (record != nullptr && !record->sent.empty()) record->sent.pop_back();
}

void forgets_who_is_retried(Sabotage&, core::StoreCommand& command) {
  if (auto* record = std::get_if<RecordBatch>(&command)) record->others.clear();
}

void takes_failed_for_sent(Sabotage&, core::StoreCommand& command) {
  auto* record = std::get_if<RecordBatch>(&command);
  if (record == nullptr) return;
  for (const core::Outcome& other : record->others) record->sent.push_back(other.member);
  record->others.clear();
}

void doubt_forgotten(Sabotage&, core::StoreCommand& command) {
  if (auto* record = std::get_if<RecordBatch>(&command)) record->keep_doubt = false;
}

// A claim that follows a crash comes within the window, the next one after it.
void short_lease_and_window(WorldSettings& world) {
  world.budget[Fault::kill] = world.budget[Fault::freeze] = 1;
  world.members = 2;
  world.workers = 1;
  world.policy.batch_budget = world.policy.statement_timeout = 1s;
  world.policy.connect_timeout = world.policy.read_timeout = 1s;
  world.policy.lease = world.policy.lease_needed();
  world.policy.poll_max = world.policy.lease + 1s;
  world.policy.dedupe_margin = 60s;
  world.policy.dedupe_window = world.policy.dedupe_margin + 2 * world.policy.lease;
}

constexpr std::array bugs{
    PlantedBug{.name = "recorded-before-sent",
               .story = "With the first answer of a batch all its members are recorded sent, as by "
                        "a checkpoint that is written when rows are fetched.",
               .caught_by = Oracle::S10,
               .only = true,
               .plant = [](WorldSettings& world) { world.policy.lanes = 1; },
               .command = add_claimed,
               .answer = remember_claimed},
    PlantedBug{.name = "record-of-another-claim",
               .story = "A record carries members of the worker's other claim along, under the "
                        "wrong token.",
               .caught_by = Oracle::S4,
               .only = true,
               .plant =
                   [](WorldSettings& world) {
                     world.members = 8;
                     world.policy.batch = world.policy.lanes = 4;
                     world.budget[Fault::slow] = 20;
                   },
               .command = add_remembered,
               .sent = remember_sent},
    PlantedBug{.name = "record-in-doubt-taken-for-done",
               .story = "A record whose answer was lost is taken for done, and the worker starts "
                        "more than a batch unrecorded.",
               .caught_by = Oracle::S15,
               .only = true,
               .plant =
                   [](WorldSettings& world) {
                     world.budget[Fault::statement] = 3;
                     world.policy.lanes = 1;
                   },
               .answer = in_doubt_is_done},
    PlantedBug{.name = "record-loses-a-member",
               .story = "The last member of every record is left out, so it is asked for over and "
                        "over.",
               .caught_by = Oracle::S15,
               .command = forgets_the_last},
    PlantedBug{.name = "doubt-forgotten-at-release",
               .story = "A claim that is handed back forgets that a crashed one before it may have "
                        "sent its members, and keys are used beyond their window.",
               .caught_by = Oracle::S16,
               .only = true,
               .plant = short_lease_and_window,
               .command = doubt_forgotten},
    PlantedBug{.name = "refusal-not-recorded",
               .story = "Who was not sent is left out of records: a refused member is asked for "
                        "over and over.",
               .caught_by = Oracle::liveness,
               .plant = [](WorldSettings& world) { world.provider.rules.push_back({422, 3, 0}); },
               .command = forgets_who_is_retried},
    PlantedBug{.name = "failures-recorded-sent",
               .story = "Whatever was answered, the member is recorded sent.",
               .caught_by = Oracle::S10,
               .plant = [](WorldSettings& world) { world.provider.rules.push_back({422, 3, 0}); },
               .command = takes_failed_for_sent},
};

}  // namespace

std::span<const PlantedBug> records() {
  return bugs;
}

}  // namespace sim::bugs
