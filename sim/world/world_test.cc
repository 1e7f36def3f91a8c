// The real worker in worlds of its own: random ones, and all within a small bound.
#include "sim/world/world.h"

#include <gtest/gtest.h>

#include "sim/explore/exhaustive.h"
#include "sim/explore/random.h"

namespace sim {
namespace {

using core::operator""s;

struct Sum {
  std::int64_t steps = 0, repeats = 0, stale_writes = 0;
  Coverage coverage;
};

// On failure the seed is printed: `run_random(drawn_settings(seed), seed)` goes the same way again.
Sum run_many(std::uint64_t seeds) {
  Sum sum;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const WorldSettings settings = drawn_settings(seed);
    const RandomRun run = run_random(settings, seed, &sum.coverage);
    sum.steps += run.steps;
    sum.repeats += run.repeats;
    sum.stale_writes += run.stale_writes;
    if (!run.verdict) continue;
    ADD_FAILURE() << "seed " << seed << ": " << text_of(run.verdict->oracle).name << " "
                  << run.verdict->what;
    return sum;
  }
  return sum;
}

WorldSettings calm(std::int64_t members, int workers) {
  WorldSettings settings;
  settings.members = members;
  settings.workers = workers;
  settings.policy.batch = 3;
  settings.policy.lanes = 4;
  settings.policy.rate_per_s = 0;
  return settings;
}

TEST(World, WithoutFaultsEverybodyIsAskedForOnce) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomRun run = run_random(calm(10, 3), seed, nullptr);
    ASSERT_FALSE(run.verdict) << "seed " << seed << ": " << run.verdict->what;
    EXPECT_EQ(run.repeats, 0) << "seed " << seed;
  }
}

// field case: F09
TEST(World, WhateverHappensNobodyIsDoubledOrLost) {
  const Sum sum = run_many(20'000);
  EXPECT_GT(sum.repeats, 0) << "no crash ever hit a started request: nothing was tested";
  EXPECT_GT(sum.stale_writes, 0) << "no worker ever outlived its lease: nothing was tested";
  for (const Command command : {Command::send, Command::record_batch, Command::claim_batch}) {
    EXPECT_GT(sum.coverage.struck[0][static_cast<std::size_t>(command)], 0)
        << "nobody was ever killed before a " << text_of(command);
  }
}

TEST(World, TheSameSeedGoesTheSameWay) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const WorldSettings settings = drawn_settings(seed);
    const RandomRun first = run_random(settings, seed, nullptr);
    const RandomRun second = run_random(settings, seed, nullptr);
    ASSERT_EQ(first.fingerprint, second.fingerprint) << "seed " << seed;
    ASSERT_EQ(first.steps, second.steps) << "seed " << seed;
  }
}

TEST(World, AScheduleIsItsDeviations) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const WorldSettings settings = drawn_settings(seed);
    const RandomRun run = run_random(settings, seed, nullptr);
    const Replay again = replay(settings, deviations_of(settings, seed));
    ASSERT_EQ(again.fingerprint, run.fingerprint) << "seed " << seed;
    ASSERT_EQ(std::ssize(again.steps), run.steps) << "seed " << seed;
    ASSERT_EQ(again.fit, Fit::exact) << "seed " << seed;
  }
}

TEST(World, AllSchedulesOfASmallWorldHold) {
  WorldSettings settings = bound_two();
  settings.policy.batch = settings.policy.lanes = 1;
  settings.members = 2;
  const Exhausted all = exhaust(settings);
  EXPECT_TRUE(all.complete);
  EXPECT_FALSE(all.verdict) << all.verdict->what;
  EXPECT_GT(all.states, 10'000);
}

// It had two claims of one batch then, its own old one and the new one. The answers of its checks
// were noted in the old one, where nobody is sent any more, and it checked for ever.
TEST(World, AWorkerThatTakesItsOwnBatchAgainComesToAnEnd) {
  WorldSettings settings = calm(2, 1);
  settings.policy.batch = 2;
  settings.budget[Fault::freeze] = 1;
  const Point second_claim{0, Command::claim_batch, 0, 1};
  const Replay night =
      replay(settings, {{{0, Command::freeze, 0, Choice::past_lease}, second_claim}});
  EXPECT_EQ(night.fit, Fit::exact);
  EXPECT_FALSE(night.verdict) << night.verdict->what;
}

// The claim is made while the key is surely known; the last request of it may start a whole batch
// budget later.
TEST(World, NoKeyIsUsedAtTheEndOfItsWindow) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    WorldSettings settings = drawn_settings(seed);
    settings.policy.dedupe_window = settings.provider.dedupe_window = 180s;
    settings.policy.dedupe_margin = 60s;
    settings.budget[Fault::freeze] = settings.budget[Fault::kill] = 3;
    const RandomRun run = run_random(settings, seed, nullptr);
    ASSERT_FALSE(run.verdict) << "seed " << seed << ": " << run.verdict->what;
  }
}

}  // namespace
}  // namespace sim
