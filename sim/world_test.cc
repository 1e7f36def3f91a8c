// Random schedules of the real worker against the model: kills, freezes longer than a lease, lost
// answers, opt-outs.
#include "sim/world.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;

sim::WorldPlan small_world() {
  sim::WorldPlan plan;
  plan.policy.batch = 4;
  plan.policy.lanes = 6;  // more than a batch: the bound on unrecorded members binds
  plan.policy.rate_per_s = 0;
  return plan;
}

// On failure the seed is printed: run_world(plan, seed) goes the same way again.
sim::WorldReport run_many(const sim::WorldPlan& plan, std::uint64_t seeds) {
  sim::WorldReport sum;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    try {
      const sim::WorldReport report = sim::run_world(plan, seed);
      sum.steps += report.steps;
      sum.kills += report.kills;
      sum.repeats += report.repeats;
      sum.stale_writes += report.stale_writes;
      sum.failed += report.failed;
      sum.unknown += report.unknown;
    } catch (const sim::OracleBroken& broken) {
      ADD_FAILURE() << "seed " << seed << ": " << broken.what();
      return sum;
    }
  }
  return sum;
}

TEST(World, EverybodyIsMailedOnceWithoutFaults) {
  sim::WorldPlan plan = small_world();
  plan.kills = plan.freezes = plan.lost_answers = plan.opt_outs = plan.stops = 0;
  EXPECT_EQ(run_many(plan, 200).repeats, 0);
}

TEST(World, KillsFreezesAndLostAnswersNeitherDoubleNorLose) {
  const sim::WorldReport sum = run_many(small_world(), 2000);
  EXPECT_GT(sum.kills, 500);
  EXPECT_GT(sum.repeats, 0) << "no crash ever hit a started request: nothing was tested";
  EXPECT_GT(sum.stale_writes, 0) << "no worker ever outlived its lease: nothing was tested";
}

TEST(World, RefusalsAndPassingFailuresEndAsTheirOwnKind) {
  sim::WorldPlan plan = small_world();
  plan.refuse_every = 5;
  plan.permille_503 = 100;
  plan.permille_silence = 50;
  run_many(plan, 2000);

  // Without a doubt about anybody, nobody is unknown, and who is refused is failed: 5 and 10 of 12.
  plan.kills = plan.freezes = plan.lost_answers = plan.opt_outs = 0;
  plan.permille_503 = plan.permille_silence = 0;
  const sim::WorldReport sum = run_many(plan, 500);
  EXPECT_EQ(sum.failed, 2 * 500);
  EXPECT_EQ(sum.unknown, 0);
}

// A key is used again only while the provider surely knows it; who would need it later is unknown.
TEST(World, NoKeyIsUsedAfterItsWindow) {
  sim::WorldPlan plan = small_world();
  plan.policy.dedupe_margin = 60s;
  plan.policy.dedupe_window = 180s;
  plan.permille_silence = 200;
  const sim::WorldReport sum = run_many(plan, 1000);
  EXPECT_GT(sum.unknown, 0) << "no key ever grew too old: nothing was tested";
}

TEST(World, ManyWorkersAtOnce) {
  sim::WorldPlan plan = small_world();
  plan.workers = 5;
  plan.members = 30;
  plan.kills = 6;
  plan.permille_503 = 50;
  run_many(plan, 500);
}

TEST(World, TheSharedRateIsKeptByTheWorkersThemselves) {
  sim::WorldPlan plan = small_world();
  plan.policy.rate_per_s = 10;
  plan.members = 40;
  plan.workers = 3;
  run_many(plan, 200);
}

}  // namespace
