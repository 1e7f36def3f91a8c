#include "core/number_text.h"

#include <gtest/gtest.h>

namespace core {
namespace {

using namespace std::chrono_literals;

TEST(NumberText, ThousandsAreParted) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(-123'456), "-123,456");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
}

TEST(NumberText, AMomentIsUtc) {
  EXPECT_EQ(utc_text(DbTime(Duration(0))), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(DbTime(1'772'323'199'999'999us)), "2026-02-28T23:59:59Z");
  EXPECT_EQ(utc_text(DbTime(1'772'323'200s)), "2026-03-01T00:00:00Z");
}

TEST(NumberText, ASpanIsRoundedUp) {
  EXPECT_EQ(span_text(0s), "0 s");
  EXPECT_EQ(span_text(11'000'001us), "12 s");
  EXPECT_EQ(span_text(60s), "1 min 0 s");
  EXPECT_EQ(span_text(7503s), "2 h 5 min 3 s");
}

}  // namespace
}  // namespace core
