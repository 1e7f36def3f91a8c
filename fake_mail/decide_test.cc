#include "fake_mail/decide.h"

#include <gtest/gtest.h>

#include "fake_mail/draw.h"

namespace fake_mail {
namespace {

constexpr std::uint64_t largest_seed = 0xffffffffffffffffU;
constexpr std::int64_t largest_member = 9'223'372'036'854'775'807;

// The seeds of scenarios stand for these numbers; another hash would make each another scenario.
TEST(Draw, GivesEachSeedTheNumbersItAlwaysHad) {
  const auto drawn = [](std::uint64_t seed, std::int64_t member, std::int64_t try_number) {
    const std::uint64_t hash = Recipient(member).hash();
    return std::pair(draw_permille(seed, DrawFor::fault, hash, try_number),
                     draw_permille(seed, DrawFor::latency, hash, try_number));
  };
  EXPECT_EQ(drawn(1, 1, 1), std::pair(872, 441));
  EXPECT_EQ(drawn(1, 25, 2), std::pair(566, 335));
  EXPECT_EQ(drawn(7, 1'200'000, 1), std::pair(270, 680));
  EXPECT_EQ(drawn(largest_seed, largest_member, 3), std::pair(103, 447));
  EXPECT_EQ(drawn(1, -5, 1), std::pair(104, 343));
}

TEST(Draw, AnAddressDrawsToo) {
  const std::uint64_t hash = Recipient("a@example.org").hash();
  EXPECT_EQ(draw_permille(1, DrawFor::fault, hash, 1), 680);
}

TEST(Recipient, ANumberAndItsTextAreTheSame) {
  for (const std::int64_t member : {std::int64_t{1}, std::int64_t{0}, std::int64_t{-1},
                                    std::int64_t{-9'223'372'036'854'775'807 - 1}, largest_member}) {
    const Recipient text(std::to_string(member));
    EXPECT_EQ(text.hash(), Recipient(member).hash()) << member;
    EXPECT_EQ(text.divisible_by(7), Recipient(member).divisible_by(7)) << member;
  }
}

TEST(Recipient, AnAddressIsDivisibleByOneOnly) {
  EXPECT_TRUE(Recipient("a@example.org").divisible_by(1));
  EXPECT_FALSE(Recipient("a@example.org").divisible_by(2));
}

TEST(Decide, ARuleWithStatus0DeliversAndIsSilent) {
  Behaviour behaviour;
  behaviour.rules = {{.status = 0, .every = 3, .tries = 0}};
  const Answer first = decide(behaviour, Recipient(3), 1, KeyState::unseen);
  EXPECT_EQ(first.status, status::none);
  EXPECT_EQ(first.outcome, Outcome::delivered);
  const Answer again = decide(behaviour, Recipient(3), 2, KeyState::delivered);
  EXPECT_EQ(again.status, status::ok);
  EXPECT_EQ(again.outcome, Outcome::repeat);
  EXPECT_EQ(decide(behaviour, Recipient(4), 1, KeyState::unseen).status, status::ok);
}

}  // namespace
}  // namespace fake_mail
