#include "core/weather.h"

#include <gtest/gtest.h>

namespace core {
namespace {

constexpr Instant start{100s};

// `count` answers, each about another member.
void observe(Weather& weather, int count, bool bad, Instant at = start) {
  for (int i = 1; i <= count; ++i) weather.observe(MemberId(i), bad, at);
}

TEST(Weather, TwentyBadAnswersOverTwoSecondsAreAnOutage) {
  Weather weather;
  for (int i = 0; i < 20; ++i) weather.observe(MemberId(i), true, start + i * 100ms);
  EXPECT_FALSE(weather.declared(start + 1900ms));
  EXPECT_EQ(weather.decides_at(), start + 2s);
  EXPECT_FALSE(weather.declared(start + 2s - 1us));
  EXPECT_TRUE(weather.declared(start + 2s));
}

TEST(Weather, NineteenMembersAreTooFewToTell) {
  Weather weather;
  observe(weather, 19, true);
  EXPECT_TRUE(weather.too_few());
  EXPECT_FALSE(weather.declared(start + 1h));
  weather.observe(MemberId(20), true, start);
  EXPECT_FALSE(weather.too_few());
  EXPECT_TRUE(weather.declared(start + 1h));
}

TEST(Weather, FewerThanHalfAreMembersOwnTrouble) {
  Weather weather;
  observe(weather, 26, false, start);
  observe(weather, 24, true, start);
  EXPECT_FALSE(weather.suspect());
  EXPECT_FALSE(weather.declared(start + 1h));
}

TEST(Weather, HalfOfTheLastFiftyIsEnough) {
  Weather weather;
  observe(weather, 1000, false, start);  // long ago and forgotten
  observe(weather, 24, true, start + 1s);
  EXPECT_FALSE(weather.suspect());
  weather.observe(MemberId(25), true, start + 1s);
  EXPECT_TRUE(weather.suspect());
  EXPECT_TRUE(weather.declared(start + 3s));
}

TEST(Weather, ABreakStartsTheTwoSecondsAnew) {
  Weather weather;
  observe(weather, 25, true, start);
  observe(weather, 26, false, start + 1s);
  ASSERT_FALSE(weather.suspect());
  observe(weather, 50, true, start + 10s);
  EXPECT_FALSE(weather.declared(start + 11s));
  EXPECT_TRUE(weather.declared(start + 12s));
}

// However often they fail: it is their own trouble until a twentieth has it too.
TEST(Weather, ManyAnswersAboutNineteenMembersAreTooFew) {
  Weather weather;
  for (int round = 0; round < 10; ++round) observe(weather, 19, true);
  EXPECT_TRUE(weather.suspect());
  EXPECT_TRUE(weather.too_few());
  EXPECT_FALSE(weather.declared(start + 1h));
  weather.observe(MemberId(20), true, start);
  EXPECT_TRUE(weather.declared(start + 1h));
}

// A member whose only answers were good does not count among the twenty.
TEST(Weather, OnlyMembersWithABadAnswerCount) {
  Weather weather;
  observe(weather, 25, false);
  for (int i = 0; i < 25; ++i) weather.observe(MemberId(i % 19 + 1), true, start);
  EXPECT_TRUE(weather.suspect());
  EXPECT_TRUE(weather.too_few());
}

TEST(Weather, IsJudgedAnewAfterAPause) {
  Weather weather;
  observe(weather, 50, true, start);
  weather.clear();
  EXPECT_TRUE(weather.too_few());
  EXPECT_FALSE(weather.declared(start + 1h));
}

}  // namespace
}  // namespace core
