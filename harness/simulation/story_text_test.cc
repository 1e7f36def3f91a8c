#include "harness/simulation/story_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harness {
namespace {

std::vector<sim::StoryLine> story(std::int64_t steps) {
  std::vector<sim::StoryLine> out;
  for (std::int64_t i = 1; i <= steps; ++i)
    out.push_back({i, {{0, sim::Command::recheck, 0}, false}, core::Duration(i * 1500), "", false});
  return out;
}

TEST(StoryText, AStepIsALine) {
  auto lines = story(2);
  lines[1].step.deviates = true;
  lines[1].came_of_it = "all may be mailed";
  EXPECT_EQ(story_text(lines, {}),
            "   step    seconds  who does                                what came of it\n"
            "      1      0.001  w1  checks opt-outs and the pause\n"
            "*     2      0.003  w1  checks opt-outs and the pause       all may be mailed\n");
}

TEST(StoryText, FitsInto100Columns) {
  auto lines = story(1);
  lines[0].step.move = {11, sim::Command::record_retries, 0, sim::Choice::lost_done};
  lines[0].came_of_it = std::string(60, 'x') + " " + std::string(30, 'y') + " " +
                        std::string(15, 'z') + " m1 pending -> sent";
  const std::string text = story_text(lines, {});
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    EXPECT_LE(end - first, 100U) << text;
    first = end + 1;
  }
  EXPECT_EQ(std::ranges::count(text, 'x'), 60);
}

TEST(StoryText, ALongOneShowsWhatMatters) {
  auto lines = story(1000);
  lines[499].step.deviates = true;
  const std::string text = story_text(lines, {.whole = false, .cause = 700});
  EXPECT_LT(std::ranges::count(text, '\n'), 40) << text;
  EXPECT_TRUE(text.contains("\n    ... 496 steps of looking and waiting\n")) << text;
  EXPECT_TRUE(text.contains("\n*   500 ")) << text;
  EXPECT_TRUE(text.contains("\n >  700 ")) << text;
  EXPECT_TRUE(text.contains("\n   1000 ")) << text;
  EXPECT_EQ(std::ranges::count(story_text(lines, {.whole = true, .cause = {}}), '\n'), 1001);
}

}  // namespace
}  // namespace harness
