#include "sim/explore/conflict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

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

std::vector<Move> moves_of(const WorldSettings& settings, std::uint64_t seed) {
  std::vector<Move> moves;
  RandomChooser chooser(settings, seed);
  for (World world(settings); !world.over();) {
    const Offer offer = chooser.choose(world);
    moves.push_back(offer.move);
    world.apply(offer);
  }
  return moves;
}

// Two workers plan at first; in a reversed schedule the later move of the pair comes first.
TEST(Conflict, AReversedScheduleIsMade) {
  WorldSettings settings;
  settings.policy.batch = 2;
  settings.members = 6;
  settings.policy.rate_per_s = 0;
  int drawn = 0;
  int turned = 0;
  for (std::uint64_t seed = 1; seed < 500; ++seed) {
    if (strategy_of(seed) != Strategy::reversed) continue;
    ++drawn;
    const auto reversal = RandomChooser(settings, seed).reversal();
    if (!reversal) continue;
    const std::vector<Move> moves = moves_of(settings, seed);
    const auto from = moves.begin() + static_cast<std::ptrdiff_t>(reversal->at);
    const auto again = [&](const Move& wanted) {
      return std::find_if(from, moves.end(), [&](const Move& m) { return m.same_point(wanted); });
    };
    turned += again(reversal->second) < again(reversal->first) ? 1 : 0;
  }
  EXPECT_GT(drawn, 50);
  EXPECT_GT(turned, drawn / 2);
}

}  // namespace
}  // namespace sim
