#include "harness/simulation/doctor.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

const std::vector<StepHash> steps{{"w1 plan - done", 1}, {"w1 claim_batch - done", 2}};

TEST(Doctor, TheSameSeedHasTheSameHash) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_EQ(hash_of(seed, steps_of_seed(seed)), hash_of(seed, steps_of_seed(seed))) << seed;
}

TEST(Doctor, AnotherMoveOrAnotherWorldIsAnotherHash) {
  auto other_move = steps, other_world = steps, shorter = steps;
  other_move[1].move = "w2 claim_batch - done";
  other_world[0].fingerprint = 3;
  shorter.pop_back();
  for (const auto& other : {other_move, other_world, shorter})
    EXPECT_NE(hash_of(1, steps).hash, hash_of(1, other).hash);
}

TEST(Doctor, TheFirstDifferenceIsNamed) {
  EXPECT_FALSE(first_difference(steps, steps));
  auto other = steps;
  other[1].fingerprint = 0xabc;
  EXPECT_EQ(first_difference(steps, other), 1U);
  EXPECT_EQ(describe_difference(17, steps, other),
            "seed 17 differs from step 2 on: here w1 claim_batch - done, world 0000000000000002; "
            "elsewhere w1 claim_batch - done, world 0000000000000abc");
  other.pop_back();
  EXPECT_EQ(first_difference(steps, other), 1U);
  EXPECT_TRUE(describe_difference(17, steps, other).ends_with("elsewhere it has ended"));
  const std::vector<SeedHash> here{{1, 5, 6}, {2, 5, 7}}, there{{1, 5, 6}, {2, 4, 7}};
  EXPECT_EQ(first_difference(here, there), 1U);
}

TEST(Doctor, ItsLinesComeBackAsTheyWere) {
  const SeedHash hash{17, 41, 0xfedcba9876543210};
  EXPECT_EQ(seed_hash_of(to_line(hash)), hash);
  EXPECT_EQ(step_hash_of(to_line(steps[1])), steps[1]);
  for (const std::string wrong : {"", "17", "17 41", "17 41 x", "17 x 1", "x 41 1"})
    EXPECT_FALSE(seed_hash_of(wrong)) << wrong;
  for (const std::string wrong : {"", "0000000000000002", "000000000000000x w1"})
    EXPECT_FALSE(step_hash_of(wrong)) << wrong;
}

}  // namespace
}  // namespace harness
