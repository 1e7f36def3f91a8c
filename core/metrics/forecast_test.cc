#include "core/metrics/forecast.h"

#include <gtest/gtest.h>

namespace core::metrics {
namespace {

Instant at(int seconds) {
  return Instant(std::chrono::seconds(1000 + seconds));
}

TEST(Forecast, KnowsNothingFromOneCount) {
  Forecast forecast;
  EXPECT_EQ(forecast.finish_in(), std::nullopt);
  forecast.add(at(0), 1'200'000);
  EXPECT_EQ(forecast.finish_in(), std::nullopt);
}

TEST(Forecast, GoesOnAtThePaceOfTheLastMinute) {
  Forecast forecast;
  forecast.add(at(0), 1'200'000);
  forecast.add(at(10), 1'195'000);
  EXPECT_EQ(forecast.finish_in(), 2390s);  // 500 a second
  // An outage: a minute later only that minute counts.
  for (int second = 20; second <= 120; second += 10) forecast.add(at(second), 1'195'000);
  EXPECT_EQ(forecast.finish_in(), std::nullopt);
  for (int second = 130; second <= 200; second += 10)
    forecast.add(at(second), 1'195'000 - (second - 120) * 1000);
  EXPECT_EQ(forecast.finish_in(), 1115s);  // 1,115,000 at 1,000 a second
}

TEST(Forecast, AddedMembersAreNoPace) {
  Forecast forecast;
  forecast.add(at(0), 100);
  forecast.add(at(10), 5'000);
  EXPECT_EQ(forecast.finish_in(), std::nullopt);
}

TEST(Forecast, NobodyRemainingIsFinished) {
  Forecast forecast;
  forecast.add(at(0), 0);
  EXPECT_EQ(forecast.finish_in(), 0s);
}

TEST(Forecast, ABillionMembersAreNoOverflow) {
  Forecast forecast;
  forecast.add(at(0), 1'000'000'000);
  forecast.add(at(60), 999'999'999);
  EXPECT_EQ(forecast.finish_in(), std::chrono::seconds(60LL * 999'999'999));
}

}  // namespace
}  // namespace core::metrics
