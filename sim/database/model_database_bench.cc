// What the model costs a schedule, and a night of 1.2 million members.
#include <benchmark/benchmark.h>

#include "sim/database/model_database.h"

namespace sim {
namespace {

using namespace std::chrono_literals;
constexpr core::DbTime noon{std::chrono::hours(12)};

core::Policy policy_of(std::int64_t batch) {
  core::Policy policy;
  policy.batch = batch;
  return policy;
}

ModelDatabase planned(std::int64_t members, std::int64_t batch) {
  ModelDatabase database(policy_of(batch), members);
  database.execute(core::Plan{0}, noon);
  return database;
}

void send_all(ModelDatabase& database) {
  for (;;) {
    const auto answer = database.execute(core::ClaimBatch{{1, 1}}, noon);
    const auto& claimed = std::get<core::Claimed>(answer.result);
    if (!claimed.found) break;
    core::RecordBatch record;
    record.batch = claimed.batch;
    record.token = {1, 1};
    for (const auto& member : claimed.members) record.sent.push_back(member.id);
    record.ends = true;
    database.execute(record, noon);
  }
}

void copy_of_12_members(benchmark::State& state) {
  const ModelDatabase database = planned(12, 4);
  for (auto _ : state) {
    ModelDatabase copy = database;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(copy_of_12_members);

void recheck_of_4(benchmark::State& state) {
  ModelDatabase database = planned(12, 4);
  core::Recheck recheck;
  for (std::int64_t id = 1; id <= 4; ++id) recheck.members.push_back(core::MemberId(id));
  const core::StoreCommand command = recheck;
  for (auto _ : state) benchmark::DoNotOptimize(database.execute(command, noon));
}
BENCHMARK(recheck_of_4);

void reserve_slots(benchmark::State& state) {
  ModelDatabase database = planned(12, 4);
  const core::StoreCommand command = core::ReserveSlots{4};
  for (auto _ : state) benchmark::DoNotOptimize(database.execute(command, noon));
}
BENCHMARK(reserve_slots);

// Each leases the same batch again, a lease later.
void claim_of_4(benchmark::State& state) {
  ModelDatabase database = planned(4, 4);
  const core::StoreCommand command = core::ClaimBatch{{1, 1}};
  core::DbTime now = noon;
  for (auto _ : state) benchmark::DoNotOptimize(database.execute(command, now += 90s));
}
BENCHMARK(claim_of_4);

// A copy, then three claims and three records.
void campaign_of_12(benchmark::State& state) {
  const ModelDatabase database = planned(12, 4);
  for (auto _ : state) {
    ModelDatabase copy = database;
    send_all(copy);
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(campaign_of_12);

// A whole campaign by itself: plan, then claim and record until nothing is left.
void night_of_1200000(benchmark::State& state) {
  for (auto _ : state) {
    ModelDatabase database = planned(1'200'000, 200);
    send_all(database);
  }
}
BENCHMARK(night_of_1200000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace sim
