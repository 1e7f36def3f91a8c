#include "sim/explore/conflict.h"

#include <gtest/gtest.h>

#include "sim/explore/random.h"

namespace sim {
namespace {

Move move(const char* text) {
  return move_of(text).value();
}

TEST(Conflict, NeedsTwoActorsAndTheSameThing) {
  EXPECT_TRUE(in_conflict(move("w1 claim_batch - done"), move("w2 claim_batch - done")));
  EXPECT_TRUE(in_conflict(move("w1 recheck - done"), move("env opt_out m3 done")));
  EXPECT_TRUE(in_conflict(move("env opt_out m3 done"), move("w1 send m3 done")));
  EXPECT_TRUE(in_conflict(move("w1 reserve_slots - done"), move("w2 pause - done")));
  EXPECT_FALSE(in_conflict(move("w1 claim_batch - done"), move("w1 record_batch b1 done")));
  EXPECT_FALSE(in_conflict(move("w1 recheck - done"), move("w2 recheck - done")));
  EXPECT_FALSE(in_conflict(move("w1 send m3 done"), move("w2 send m4 done")));
  EXPECT_FALSE(in_conflict(move("w1 reserve_slots - done"), move("w2 claim_batch - done")));
}

TEST(Conflict, TheNearestPairFromAMoveOnIsReversed) {
  const std::vector<Move> moves{move("w1 plan - done"), move("w2 plan - done"),
                                move("w1 send m1 done"), move("w2 claim_batch - done")};
  const auto first = reversal_in(moves, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->at, 0);
  EXPECT_EQ(first->second, moves[1]);
  const auto later = reversal_in(moves, 2);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->at, 0);
  EXPECT_EQ(later->second, moves[3]);
  EXPECT_FALSE(reversal_in(moves, 4));
}

// Two workers without any fault: after a reversal the moves are the same and in another order.
TEST(Conflict, AReversedScheduleIsMade) {
  WorldSettings settings;
  settings.policy.batch = 2;
  settings.members = 6;
  settings.policy.rate_per_s = 0;
  int reversed = 0;
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    if (strategy_of(seed) != Strategy::reversed) continue;
    const RandomRun run = run_random(settings, seed, nullptr);
    EXPECT_FALSE(run.verdict) << run.verdict->what;
    ++reversed;
  }
  EXPECT_GT(reversed, 10);
}

}  // namespace
}  // namespace sim
