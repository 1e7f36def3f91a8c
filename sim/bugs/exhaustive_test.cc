// The exhaustive search takes worlds for one that differ in what can't matter any more. With
// planted bugs in it, it must break the same oracles as a search that tells them all apart.
#include "sim/explore/exhaustive.h"

#include <gtest/gtest.h>

#include "sim/bugs/catalog.h"

namespace sim {
namespace {

constexpr std::int64_t states_max = 200'000;  // a world that has more is not compared

// 2 workers x 2 batches x 1 member x 1 lane, with what the bug needs.
WorldSettings small_world_with(const PlantedBug& bug) {
  WorldSettings settings = bound_two();
  settings.members = 2;
  settings.policy.batch = settings.policy.lanes = 1;
  settings.bug = &bug;
  if (bug.plant != nullptr) bug.plant(settings);
  settings.fine_time = false;
  return settings;
}

Exhausted all_verdicts(const WorldSettings& settings, bool exact) {
  return exhaust(settings, [](const Exhausted& so_far) { return so_far.states < states_max; },
                 {.exact = exact, .past_verdicts = true});
}

TEST(Exhaustive, BreaksWhatASearchThatTellsAllWorldsApartBreaks) {
  int compared = 0;
  int broken = 0;
  for (const PlantedBug* bug : all_bugs()) {
    const WorldSettings settings = small_world_with(*bug);
    const Exhausted exact = all_verdicts(settings, true);
    if (!exact.complete) continue;
    const Exhausted merged = all_verdicts(settings, false);
    EXPECT_TRUE(merged.complete) << bug->name;
    EXPECT_LE(merged.states, exact.states) << bug->name;
    EXPECT_EQ(merged.broken, exact.broken) << bug->name << ", a bit for each sim::Oracle";
    ++compared;
    broken += exact.broken.any() ? 1 : 0;
  }
  EXPECT_GE(compared, 40);
  EXPECT_GE(broken, 25) << "where nothing breaks, nothing is compared";
}

TEST(Exhaustive, TakesFewerWorldsApartThanTheirFingerprints) {
  WorldSettings settings = bound_two();
  settings.members = 2;
  settings.policy.batch = settings.policy.lanes = 1;
  const Exhausted exact = exhaust(settings, {}, {.exact = true});
  const Exhausted merged = exhaust(settings);
  EXPECT_TRUE(exact.complete && merged.complete);
  EXPECT_LT(merged.states * 4, exact.states * 3);
}

}  // namespace
}  // namespace sim
