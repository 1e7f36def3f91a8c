// Every planted bug is found, by the oracle that it names, and the right sender holds where it is
// found. That is the test of the oracles, and of the search.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <string>

#include "sim/bugs/catalog.h"
#include "sim/bugs/hunt.h"
#include "sim/explore/random.h"

namespace sim {
namespace {

constexpr std::uint64_t schedules_max = 20'000;
constexpr std::uint64_t schedules_least = 1'000;  // of a world that must hold
constexpr std::size_t deviations_max = 12;

std::string test_name(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

class Planted : public ::testing::TestWithParam<const PlantedBug*> {
 protected:
  const PlantedBug& bug() const { return *GetParam(); }
};

void expect_to_hold(const WorldSettings& world, std::uint64_t schedules) {
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    const RandomRun run = run_random(world, seed, nullptr);
    ASSERT_FALSE(run.verdict) << "schedule " << seed << ": " << text_of(run.verdict->oracle).name
                              << " " << run.verdict->what;
  }
}

void expect_to_replay(const Catch& found, Oracle oracle) {
  const Replay first = replay(found.shrunk.settings, found.shrunk.deviations);
  const Replay second = replay(found.shrunk.settings, found.shrunk.deviations);
  ASSERT_TRUE(first.verdict);
  EXPECT_EQ(first.verdict->oracle, oracle);
  EXPECT_EQ(first.fit, Fit::exact);
  EXPECT_EQ(first.fingerprint, second.fingerprint);
  EXPECT_EQ(first.steps.size(), second.steps.size());
}

TEST_P(Planted, IsCaught) {
  const WorldSettings world = planted(bug());
  const auto started = std::chrono::steady_clock::now();
  const auto found = hunt(world, schedules_max);
  const auto spent = std::chrono::steady_clock::now() - started;
  ASSERT_TRUE(found) << "it survives " << schedules_max << " schedules: " << bug().story;
  EXPECT_EQ(found->verdict.oracle, bug().caught_by)
      << text_of(found->verdict.oracle).name << ": " << found->verdict.what;
  EXPECT_LE(found->shrunk.deviations.size(), deviations_max);
  expect_to_replay(*found, bug().caught_by);
  std::cout << bug().name << ": " << text_of(found->verdict.oracle).name << " after "
            << found->schedules << " schedules, "
            << std::chrono::duration_cast<std::chrono::milliseconds>(spent).count() << " ms, "
            << found->shrunk.deviations.size() << " deviations: " << found->verdict.what << '\n';

  const std::uint64_t schedules = std::max(found->schedules, schedules_least);
  expect_to_hold(without_bug(world), schedules);
  if (bug().calm != nullptr) {
    WorldSettings calm = world;
    bug().calm(calm);
    SCOPED_TRACE("nothing else shows it");
    expect_to_hold(calm, schedules);
  }
  if (!bug().only) return;
  WorldSettings blind = world;
  blind.ignored.set(static_cast<std::size_t>(bug().caught_by));
  SCOPED_TRACE("no other oracle sees it");
  expect_to_hold(blind, schedules);
}

INSTANTIATE_TEST_SUITE_P(Bugs, Planted, ::testing::ValuesIn(all_bugs().begin(), all_bugs().end()),
                         [](const auto& bug) { return test_name(bug.param->name); });

TEST(PlantedBugs, EachHasANameAndAStory) {
  std::set<std::string_view> names;
  for (const PlantedBug* bug : all_bugs()) {
    EXPECT_TRUE(names.insert(bug->name).second) << bug->name << " twice";
    EXPECT_EQ(find_bug(bug->name), bug);
    EXPECT_TRUE(bug->story.ends_with('.')) << bug->name;
  }
  EXPECT_EQ(find_bug("none-of-them"), nullptr);
}

// An oracle that sees nothing that no other one sees could be taken away.
TEST(PlantedBugs, EveryOracleAloneSeesOne) {
  std::set<Oracle> seen;
  for (const PlantedBug* bug : all_bugs()) {
    if (bug->only) seen.insert(bug->caught_by);
  }
  for (std::size_t oracle = 0; oracle < oracle_count; ++oracle) {
    EXPECT_TRUE(seen.contains(static_cast<Oracle>(oracle)))
        << text_of(static_cast<Oracle>(oracle)).name;
  }
}

// The canary: the exploration that the right sender must pass (sim/world/world_test.cc) fails for a
// wrong one. Where it doesn't, it proves nothing of the right one.
TEST(PlantedBugs, AnExplorationWithOneOfThemFails) {
  for (const Conjunct part : {Conjunct::record_batch_token, Conjunct::recheck_opted_out}) {
    bool failed = false;
    for (std::uint64_t seed = 1; seed <= 2'000 && !failed; ++seed) {
      WorldSettings world = drawn_settings(seed);
      world.dropped.push_back(part);
      failed = run_random(world, seed, nullptr).verdict.has_value();
    }
    EXPECT_TRUE(failed) << "without " << conjunct_name(part);
  }
}

}  // namespace
}  // namespace sim
