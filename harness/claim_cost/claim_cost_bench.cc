// Database time of claim + record a member. Needs SENDPROOF_PG_DSN: run by `./dev bench`.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "harness/claim_cost/claim_cost.h"

namespace {

using harness::ClaimDesign;

void claim_and_record(benchmark::State& state, ClaimDesign design, bool held_snapshot) {
  const char* server = std::getenv("SENDPROOF_PG_DSN");
  if (server == nullptr) {
    state.SkipWithError("SENDPROOF_PG_DSN is not set: run ./dev bench");
    return;
  }
  const std::int64_t members = state.range(0);
  for (auto _ : state) {
    const auto cost = harness::measure_claims(design, server, members, held_snapshot,
                                              [](std::int64_t) { return true; });
    if (!cost) {
      state.SkipWithError(cost.error().c_str());
      return;
    }
    state.SetIterationTime(static_cast<double>(cost->in_statements.count()) / 1e6);
    state.counters["us_per_member"] = static_cast<double>(cost->ns_per_member()) / 1e3;
    state.counters["first_us"] = static_cast<double>(cost->first_batch.count());
    state.counters["last_us"] = static_cast<double>(cost->last_batch.count());
    state.counters["plan_us_per_member"] =
        static_cast<double>(cost->planning.count()) / static_cast<double>(cost->members);
  }
}

BENCHMARK_CAPTURE(claim_and_record, batch_claims, ClaimDesign::batch_claims, false)
    ->Arg(1'200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(claim_and_record, row_claims, ClaimDesign::row_claims, false)
    ->Arg(1'200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(claim_and_record, batch_claims_held_snapshot, ClaimDesign::batch_claims, true)
    ->Arg(200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(claim_and_record, row_claims_held_snapshot, ClaimDesign::row_claims, true)
    ->Arg(200'000)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
