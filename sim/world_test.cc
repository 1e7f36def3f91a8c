// Random schedules of the real worker against the model: kills, freezes longer than a lease, lost
// answers, opt-outs.
#include "sim/world.h"

#include <gtest/gtest.h>

namespace {

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
    } catch (const sim::OracleBroken& broken) {
      ADD_FAILURE() << "seed " << seed << ": " << broken.what();
      return sum;
    }
  }
  return sum;
}

TEST(World, EverybodyIsMailedOnceWithoutFaults) {
  sim::WorldPlan plan = small_world();
  plan.kills = plan.freezes = plan.lost_answers = plan.opt_outs = 0;
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
  plan.policy.rate_per_s = 100;
  run_many(plan, 500);
}

}  // namespace
