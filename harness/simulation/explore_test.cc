#include "harness/simulation/explore.h"

#include <gtest/gtest.h>

#include "sim/bugs/planted_bug.h"

namespace harness {
namespace {

sim::WorldSettings without_fence(std::uint64_t seed) {
  sim::WorldSettings settings = sim::drawn_settings(seed);
  settings.dropped = {sim::Conjunct::record_batch_token};
  return settings;
}

Explored explore_for(std::int64_t schedules, int jobs,
                     const std::function<sim::WorldSettings(std::uint64_t)>& settings_of) {
  ExploreOptions options;
  options.schedules = schedules;
  options.budget = std::chrono::minutes(10);
  options.jobs = jobs;
  return explore(options, settings_of, [](const Explored&) { return true; });
}

TEST(Explore, TheNumberOfJobsMakesNoDifference) {
  const Explored alone = explore_for(2000, 1, sim::drawn_settings);
  EXPECT_EQ(alone.schedules, 2000);
  for (const int jobs : {2, 3}) {
    const Explored together = explore_for(2000, jobs, sim::drawn_settings);
    EXPECT_EQ(together.schedules, alone.schedules);
    EXPECT_EQ(together.steps, alone.steps);
    EXPECT_EQ(together.repeats, alone.repeats);
    EXPECT_EQ(together.coverage.passed, alone.coverage.passed);
    EXPECT_EQ(together.coverage.struck, alone.coverage.struck);
  }
}

TEST(Explore, TheFirstFailingSeedIsReportedWhateverTheNumberOfJobs) {
  const Explored alone = explore_for(100'000, 1, without_fence);
  ASSERT_TRUE(alone.verdict);
  for (const int jobs : {2, 4}) {
    const Explored together = explore_for(100'000, jobs, without_fence);
    EXPECT_EQ(together.failed_seed, alone.failed_seed);
    EXPECT_EQ(together.schedules, alone.schedules);
    EXPECT_EQ(together.verdict->what, alone.verdict->what);
    EXPECT_EQ(together.coverage.passed, alone.coverage.passed);
  }
}

TEST(Explore, EndsWhenItIsToldTo) {
  ExploreOptions options;
  options.jobs = 2;
  int asked = 0;
  const Explored seen =
      explore(options, sim::drawn_settings, [&](const Explored&) { return ++asked < 2; });
  EXPECT_EQ(asked, 2);
  EXPECT_GT(seen.schedules, 0);
  EXPECT_GT(seen.schedules_a_core_minute(), 0);
}

TEST(Explore, EndsWithItsBudget) {
  ExploreOptions options;
  options.budget = std::chrono::milliseconds(1);
  EXPECT_GT(explore(options, sim::drawn_settings, [](const Explored&) { return true; }).schedules,
            0);
}

TEST(Explore, AnUnknownBugIsRefusedWithTheNearest) {
  sim::WorldSettings settings;
  EXPECT_EQ(plant(settings, ""), "");
  EXPECT_EQ(plant(settings, "record_batch.tokem"),
            "no planted bug is named \"record_batch.tokem\"; did you mean \"record_batch.token\"? "
            "harness explore --bug list shows all");
  EXPECT_TRUE(settings.dropped.empty());
}

TEST(Explore, ABugOfTheCatalogIsPlantedWhereItIsAtHome) {
  const sim::WorldSettings world = explored_world(5, "no-key");
  ASSERT_NE(world.bug, nullptr);
  EXPECT_EQ(world.bug->name, "no-key");
  const sim::WorldSettings part = explored_world(5, "plan.skip_locked");
  EXPECT_EQ(part.dropped, std::vector{sim::Conjunct::plan_skip_locked});
  EXPECT_EQ(part.members, sim::drawn_settings(5).members);
}

}  // namespace
}  // namespace harness
