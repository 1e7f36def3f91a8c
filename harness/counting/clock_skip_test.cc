#include "harness/counting/clock_skip.h"

#include <gtest/gtest.h>

#include "harness/counting/sender_line.h"

namespace harness {
namespace {

Idleness two_waiting() {
  return {.workers = {{.waiting = true, .until_us = 90'000'000, .holding = 0},
                      {.waiting = true, .until_us = 30'000'000, .holding = 0}},
          .open_requests = 0,
          .busy_sessions = 0,
          .clock_us = 10'000'000};
}

TEST(ClockSkip, GoesToTheFirstThatIsDue) {
  EXPECT_EQ(skip_of(two_waiting()), core::Duration(20'000'000));
}

TEST(ClockSkip, NotWhileAnybodyWorks) {
  Idleness seen = two_waiting();
  seen.workers[0].waiting = false;
  EXPECT_FALSE(skip_of(seen).has_value());
}

TEST(ClockSkip, NotWhileAnybodyHoldsMembers) {
  Idleness seen = two_waiting();
  seen.workers[1].holding = 1;
  EXPECT_FALSE(skip_of(seen).has_value());
}

TEST(ClockSkip, NotWhileARequestIsOpen) {
  Idleness seen = two_waiting();
  seen.open_requests = 1;
  EXPECT_FALSE(skip_of(seen).has_value());
}

TEST(ClockSkip, NotWhileAStatementRuns) {
  Idleness seen = two_waiting();
  seen.busy_sessions = 1;
  EXPECT_FALSE(skip_of(seen).has_value());
}

TEST(ClockSkip, NotWhenNobodyLives) {
  Idleness seen = two_waiting();
  seen.workers.clear();
  EXPECT_FALSE(skip_of(seen).has_value());
}

TEST(ClockSkip, AWaitThatIsNearlyOverIsWaitedFor) {
  Idleness seen = two_waiting();
  seen.clock_us = 30'000'000 - least_skip.count() + 1;
  EXPECT_FALSE(skip_of(seen).has_value());
  seen.clock_us = 31'000'000;
  EXPECT_FALSE(skip_of(seen).has_value()) << "never backwards";
}

TEST(SenderLine, ReadsWhatTheHarnessNeeds) {
  const auto waiting = read_sender_line(R"({"event":"waiting","until_us":12,"holding":3})");
  ASSERT_TRUE(waiting.has_value());
  EXPECT_EQ(waiting->kind, SenderLine::Kind::waiting);
  EXPECT_EQ(waiting->until_us, 12);
  EXPECT_EQ(waiting->holding, 3);
  const auto finished =
      read_sender_line(R"({"event":"finished","exit":0,"report":{"stale_writes":2},"db_us":70})");
  ASSERT_TRUE(finished.has_value());
  EXPECT_EQ(finished->db_us, 70);
  EXPECT_EQ(finished->stale_writes, 2);
}

TEST(SenderLine, PassesOverEverythingElse) {
  for (const char* line : {"", "hello", "{", "[1]", "{}", R"({"event":7})", R"({"event":"sent"})"})
    EXPECT_FALSE(read_sender_line(line).has_value()) << line;
}

}  // namespace
}  // namespace harness
