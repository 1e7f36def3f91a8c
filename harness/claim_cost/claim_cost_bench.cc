// Database time of claim + record a member, both designs in turn. Needs SENDPROOF_PG_DSN: run by
// `./dev bench`.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "harness/claim_cost/claim_cost.h"

namespace {

void report(benchmark::State& state, const std::string& design, const harness::ClaimCost& cost) {
  state.counters[design + "_us_per_member"] = static_cast<double>(cost.ns_per_member()) / 1e3;
  state.counters[design + "_mean_us_per_member"] =
      static_cast<double>(cost.mean_ns_per_member()) / 1e3;
  state.counters[design + "_first_batch_us"] = static_cast<double>(cost.first_batch.count());
  state.counters[design + "_last_batch_us"] = static_cast<double>(cost.last_batch.count());
}

enum class Commit { waits_for_the_disk, does_not_wait };

void claim_and_record(benchmark::State& state, bool held_snapshot, Commit commit) {
  const char* server = std::getenv("SENDPROOF_PG_DSN");
  if (server == nullptr) {
    state.SkipWithError("SENDPROOF_PG_DSN is not set: run ./dev bench");
    return;
  }
  // libpq gives it to every connection of this process.
  setenv("PGOPTIONS", commit == Commit::waits_for_the_disk ? "" : "-c synchronous_commit=off", 1);
  for (auto _ : state) {
    const auto costs = harness::compare_claims(server, state.range(0), held_snapshot,
                                               [](std::int64_t) { return true; });
    if (!costs) {
      state.SkipWithError(costs.error().c_str());
      return;
    }
    const harness::ClaimCost& batches = costs->batch_claims;
    const harness::ClaimCost& rows = costs->row_claims;
    state.SetIterationTime(static_cast<double>(batches.in_statements.count()) / 1e6);
    report(state, "batch_claims", batches);
    report(state, "row_claims", rows);
    state.counters["row_claims_cost_times"] = static_cast<double>(rows.mean_ns_per_member()) /
                                              static_cast<double>(batches.mean_ns_per_member());
    state.counters["plan_us_per_member"] =
        static_cast<double>(batches.planning.count()) / static_cast<double>(batches.members);
  }
}

// What the statements cost, and what the disk adds to them.
BENCHMARK_CAPTURE(claim_and_record, statements_alone, false, Commit::does_not_wait)
    ->Arg(1'200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(claim_and_record, durable, false, Commit::waits_for_the_disk)
    ->Arg(1'200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(claim_and_record, held_snapshot, true, Commit::waits_for_the_disk)
    ->Arg(200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
