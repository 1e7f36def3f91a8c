#include "harness/simulation/cells.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

const Cell& cell(const std::vector<Cell>& cells, std::string_view name) {
  return *std::ranges::find_if(cells, [&](const Cell& one) { return one.name == name; });
}

TEST(Cells, HoldWhatCanHappenAndNothingElse) {
  const auto cells = cells_of({});
  for (const std::string_view name :
       {"plan done", "record_batch ghost", "send accepted_503", "freeze past_lease", "kill done",
        "kill before send", "freeze before nothing", "time little"})
    EXPECT_TRUE(std::ranges::any_of(cells, [&](const Cell& c) { return c.name == name; })) << name;
  for (const std::string_view name : {"plan slow", "kill lost", "send ghost", "kill before kill"})
    EXPECT_FALSE(std::ranges::any_of(cells, [&](const Cell& c) { return c.name == name; })) << name;
}

TEST(Cells, CountWhatWasPassed) {
  sim::Coverage coverage;
  ++coverage.passed[static_cast<std::size_t>(sim::Command::sweep)]
                   [static_cast<std::size_t>(sim::Choice::ghost)];
  coverage.struck[1][static_cast<std::size_t>(sim::Command::recheck)] = 3;
  const auto cells = cells_of(coverage);
  EXPECT_EQ(cell(cells, "sweep ghost").passed, 1);
  EXPECT_EQ(cell(cells, "freeze before recheck").passed, 3);
  EXPECT_EQ(cell(cells, "kill before recheck").passed, 0);
}

// What is asked for is asked of what is drawn: a gate that can't be passed would gate nothing.
TEST(Cells, AllArePassedByRandomSchedules) {
  sim::Coverage coverage;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(gate_from_schedules); ++seed)
    sim::run_random(sim::drawn_settings(seed), seed, &coverage);
  for (const Cell& one : cells_of(coverage)) EXPECT_GT(one.passed, 0) << one.name;
}

}  // namespace
}  // namespace harness
