#include "core/weather.h"

#include <gtest/gtest.h>

namespace core {
namespace {

constexpr Instant start{100s};

TEST(Weather, TwentyBadAnswersOverTwoSecondsAreAnOutage) {
  Weather weather;
  for (int i = 0; i < 20; ++i) weather.observe(true, start + i * 100ms);
  EXPECT_FALSE(weather.declared(start + 1900ms));
  EXPECT_EQ(weather.decides_at(), start + 2s);
  EXPECT_FALSE(weather.declared(start + 2s - 1us));
  EXPECT_TRUE(weather.declared(start + 2s));
}

TEST(Weather, NineteenAnswersAreTooFewToTell) {
  Weather weather;
  for (int i = 0; i < 19; ++i) weather.observe(true, start);
  EXPECT_TRUE(weather.too_few());
  EXPECT_FALSE(weather.declared(start + 1h));
  weather.observe(true, start);
  EXPECT_FALSE(weather.too_few());
  EXPECT_TRUE(weather.declared(start + 1h));
}

TEST(Weather, FewerThanHalfAreMembersOwnTrouble) {
  Weather weather;
  for (int i = 0; i < 26; ++i) weather.observe(false, start);
  for (int i = 0; i < 24; ++i) weather.observe(true, start);
  EXPECT_FALSE(weather.suspect());
  EXPECT_FALSE(weather.declared(start + 1h));
}

TEST(Weather, HalfOfTheLastFiftyIsEnough) {
  Weather weather;
  for (int i = 0; i < 1000; ++i) weather.observe(false, start);  // long ago and forgotten
  for (int i = 0; i < 24; ++i) weather.observe(true, start + 1s);
  EXPECT_FALSE(weather.suspect());
  weather.observe(true, start + 1s);
  EXPECT_TRUE(weather.suspect());
  EXPECT_TRUE(weather.declared(start + 3s));
}

TEST(Weather, ABreakStartsTheTwoSecondsAnew) {
  Weather weather;
  for (int i = 0; i < 25; ++i) weather.observe(true, start);
  for (int i = 0; i < 26; ++i) weather.observe(false, start + 1s);
  ASSERT_FALSE(weather.suspect());
  for (int i = 0; i < 50; ++i) weather.observe(true, start + 10s);
  EXPECT_FALSE(weather.declared(start + 11s));
  EXPECT_TRUE(weather.declared(start + 12s));
}

TEST(Weather, IsJudgedAnewAfterAPause) {
  Weather weather;
  for (int i = 0; i < 50; ++i) weather.observe(true, start);
  weather.clear();
  EXPECT_TRUE(weather.too_few());
  EXPECT_FALSE(weather.declared(start + 1h));
}

}  // namespace
}  // namespace core
