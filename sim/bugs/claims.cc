// Wrong claims: whose members they are, for how long, and what the worker makes of the answer.
#include <algorithm>
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::Claimed;
using core::operator""s;
using core::operator""h;

core::Token* token_of(core::StoreCommand& command) {
  if (auto* claim = std::get_if<core::ClaimBatch>(&command)) return &claim->token;
  if (auto* claim = std::get_if<core::ClaimRetries>(&command)) return &claim->token;
  if (auto* claim = std::get_if<core::ReadBack>(&command)) return &claim->token;
  if (auto* record = std::get_if<core::RecordBatch>(&command)) return &record->token;
  if (auto* record = std::get_if<core::RecordRetries>(&command)) return &record->token;
  return nullptr;
}

void one_token(Sabotage& process, core::StoreCommand& command) {
  core::Token* token = token_of(command);
  if (token == nullptr) return;
  if (!process.token) process.token = *token;
  *token = *process.token;
}

void no_members(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  auto* claimed = std::get_if<Claimed>(&answer.result);
  if (claimed != nullptr && !claimed->members.empty()) claimed->members.pop_back();
}

void members_five_times(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  auto* claimed = std::get_if<Claimed>(&answer.result);
  if (claimed == nullptr) return;
  const std::vector<core::ClaimedMember> once = claimed->members;
  for (int i = 1; i < 5; ++i)
    claimed->members.insert(claimed->members.end(), once.begin(), once.end());
}

// Nothing to claim now is taken for nothing left at all.
void nothing_left(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  if (auto* claimed = std::get_if<Claimed>(&answer.result)) {
    if (!claimed->found) claimed->wake.reset();
  } else if (auto* swept = std::get_if<core::Swept>(&answer.result)) {
    *swept = {true, swept->plan_version, 0, 0};
  } else if (auto* totals = std::get_if<core::Totals>(&answer.result)) {
    totals->remaining = 0;
  }
}

void no_retries(Sabotage&, const core::StoreCommand& command, core::StoreAnswer& answer) {
  if (std::get_if<core::ClaimRetries>(&command) == nullptr) return;
  if (std::get_if<Claimed>(&answer.result) != nullptr) answer.result = Claimed{};
}

void claim_anew(Sabotage&, core::StoreCommand& command) {
  const auto* lost = std::get_if<core::ReadBack>(&command);
  if (lost == nullptr) return;
  const core::Token token = lost->token;
  if (lost->retries) {
    command = core::ClaimRetries{token, 100, false};
  } else {
    command = core::ClaimBatch{token};
  }
}

void never_ends(Sabotage&, core::StoreCommand& command) {
  if (auto* record = std::get_if<core::RecordBatch>(&command)) record->ends = false;
}

void commits_after_record(Sabotage& process, core::StoreCommand& command) {
  if (std::holds_alternative<core::ClaimBatch>(command)) process.in_transaction = true;
  if (std::holds_alternative<core::RecordBatch>(command)) process.in_transaction = false;
}

void empty_once(Sabotage& process, const core::StoreCommand& command, core::StoreAnswer& answer) {
  if (!std::holds_alternative<core::Sweep>(command) || process.count++ > 0) return;
  answer.result = std::monostate{};
}

void deaf(Sabotage&, core::Event& event) {
  if (std::holds_alternative<core::Stop>(event)) event = core::Tick{};
}

void sends_on_after_its_lease(WorldSettings& world) {
  world.budget[Fault::freeze] = 1;
  world.worker_policy = world.policy;
  world.worker_policy->batch_budget = 1h;
}

void short_lease(WorldSettings& world) {
  world.policy.batch_budget = world.policy.statement_timeout = 1s;
  world.policy.connect_timeout = world.policy.read_timeout = 1s;
  world.policy.lease = world.policy.lease_needed();
  world.worker_policy = world.policy;
  world.worker_policy->batch_budget = 60s;
}

void small_batch_at_the_database(WorldSettings& world) {
  world.worker_policy = world.policy;
  world.worker_policy->batch = 6;
  world.worker_policy->lanes = world.policy.lanes = 6;
}

void first_try_503(WorldSettings& world) {
  world.provider.rules.push_back({503, 2, 1});
}

void crashes_and_a_short_window(WorldSettings& world) {
  world.budget[Fault::kill] = 1;
  world.budget[Fault::slow] = 20;
  world.policy.dedupe_window = 151s;
  world.policy.dedupe_margin = 60s;
}

void window_ignored(WorldSettings& world) {
  crashes_and_a_short_window(world);
  world.worker_policy = world.policy;
  world.worker_policy->dedupe_window = 24h;
}

constexpr std::array bugs{
    PlantedBug{.name = "token-per-run",
               .story = "One token serves every claim of a process: what it records of an old "
                        "claim passes for its new claim of the same batch.",
               .caught_by = Oracle::S4,
               .plant =
                   [](WorldSettings& world) {
                     world.budget[Fault::freeze] = 2;
                     world.budget[Fault::slow] = 20;
                   },
               .command = one_token},
    PlantedBug{.name = "lease-outlived",
               .story = "A worker that was stopped for longer than its lease goes on sending "
                        "members that another worker has claimed meanwhile.",
               .caught_by = Oracle::S3,
               .only = true,
               .plant = sends_on_after_its_lease},
    PlantedBug{.name = "lease-shorter-than-the-work",
               .story = "The lease ends while its holder is still sending, and another worker "
                        "claims the same members.",
               .caught_by = Oracle::S3,
               .only = true,
               .plant = short_lease},
    PlantedBug{.name = "claim-asked-again-in-doubt",
               .story = "A claim whose answer was lost is not read back but made once more.",
               .caught_by = Oracle::S4,
               .only = true,
               .plant = [](WorldSettings& world) { world.budget[Fault::statement] = 2; },
               .command = claim_anew},
    PlantedBug{.name = "claim-multiplied",
               .story = "A join hands every claimed member over five times, and the worker holds "
                        "more than three batches.",
               .caught_by = Oracle::S11,
               .only = true,
               .answer = members_five_times},
    PlantedBug{.name = "claim-loses-a-member",
               .story = "The last member of every claim is lost on its way to the worker, so its "
                        "batch is claimed over and over.",
               .caught_by = Oracle::liveness,
               .answer = no_members},
    PlantedBug{.name = "claim-never-ended",
               .story = "The last record of a batch leaves its claim alive: it is claimed again "
                        "after each lease.",
               .caught_by = Oracle::liveness,
               .only = true,
               .command = never_ends},
    PlantedBug{.name = "done-while-others-work",
               .story = "A worker that finds nothing to claim says that everything is done, while "
                        "others still hold members.",
               .caught_by = Oracle::S12,
               .only = true,
               .answer = nothing_left},
    PlantedBug{.name = "retries-never-taken",
               .story = "Members who wait for another try are never looked at again.",
               .caught_by = Oracle::liveness,
               .only = true,
               .plant = first_try_503,
               .answer = no_retries},
    PlantedBug{.name = "mail-inside-the-transaction",
               .story = "The claim's transaction stays open until the batch is recorded, and "
                        "requests are made inside it.",
               .caught_by = Oracle::S9,
               .only = true,
               .command = commits_after_record},
    PlantedBug{.name = "batch-bound-ignored",
               .story = "Both claims of a worker are sent at once: a crash would repeat two "
                        "batches.",
               .caught_by = Oracle::S15,
               .only = true,
               .plant = small_batch_at_the_database},
    PlantedBug{.name = "dedupe-window-ignored",
               .story = "A member of a crashed claim is asked for again when the provider may have "
                        "forgotten its key.",
               .caught_by = Oracle::S16,
               .only = true,
               .plant = window_ignored},
    PlantedBug{.name = "stop-ignored",
               .story = "After SIGTERM the worker goes on starting requests.",
               .caught_by = Oracle::liveness,
               .only = true,
               .plant = [](WorldSettings& world) { world.budget[Fault::stop] = 1; },
               .event = deaf},
    PlantedBug{.name = "empty-answer",
               .story = "An answered statement comes without its result.",
               .caught_by = Oracle::assertion,
               .only = true,
               .answer = empty_once},
};

}  // namespace

std::span<const PlantedBug> claims() {
  return bugs;
}

}  // namespace sim::bugs
