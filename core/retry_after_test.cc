#include "core/retry_after.h"

#include <gtest/gtest.h>

namespace core {
namespace {

constexpr std::int64_t noon_s = 1'792'065'600;  // 2026-10-15 12:00:00 UTC

std::optional<Duration> parse(std::string_view value) {
  return parse_retry_after(value, noon_s, 24h);
}

// field case: F28
TEST(RetryAfter, SecondsAreTakenWithSpaceAroundThem) {
  EXPECT_EQ(parse("0"), 0s);
  EXPECT_EQ(parse("5"), 5s);
  EXPECT_EQ(parse(" 5 "), 5s);
  EXPECT_EQ(parse("\t5\t"), 5s);
  EXPECT_EQ(parse("0120"), 120s);
  EXPECT_EQ(parse("86400"), 24h);
}

TEST(RetryAfter, WhatIsNotAValueGivesNothing) {
  for (const std::string_view value :
       {"", " ", "-5", "+5", "1.5", "120junk", "5 5", "5,5", "0x10", "five", "inf", "NaN",
        "100000000000000000000", "18446744073709551616", "9223372036854775808",
        "\xc2\xa0"
        "5"}) {
    EXPECT_EQ(parse(value), std::nullopt) << value;
  }
}

TEST(RetryAfter, DatesOfAllThreeFormsAreTaken) {
  EXPECT_EQ(parse("Thu, 15 Oct 2026 12:00:30 GMT"), 30s);
  EXPECT_EQ(parse("Thursday, 15-Oct-26 12:00:30 GMT"), 30s);
  EXPECT_EQ(parse("Thu Oct 15 12:00:30 2026"), 30s);
  EXPECT_EQ(parse_retry_after("Sun Nov  1 00:00:10 2026", noon_s + 12 * 3600 + 16 * 86400, 24h),
            10s);
}

TEST(RetryAfter, ADateInThePastIsNow) {
  EXPECT_EQ(parse("Thu, 15 Oct 2026 11:59:59 GMT"), 0s);
  EXPECT_EQ(parse("Sun, 06 Nov 1994 08:49:37 GMT"), 0s);
  EXPECT_EQ(parse("Sunday, 06-Nov-94 08:49:37 GMT"), 0s);
  EXPECT_EQ(parse("Sun Nov  6 08:49:37 1994"), 0s);
}

// Found by: ./dev fuzz retry_after
TEST(RetryAfter, TwoDigitsOfAYearMeanTheNearestOne) {
  constexpr std::int64_t last_second_of_2099 = 4'102'444'799;
  EXPECT_EQ(parse_retry_after("Friday, 01-Jan-00 00:00:09 GMT", last_second_of_2099, 24h), 10s);
  EXPECT_EQ(parse_http_date("Friday, 01-Jan-77 00:00:00 GMT", noon_s), 220'924'800);
  EXPECT_EQ(parse_http_date("Wednesday, 01-Jan-76 00:00:00 GMT", noon_s), 3'345'062'400);
}

// field case: F28
TEST(RetryAfter, OfALongerOneAsMuchCountsAsWeBelieve) {
  EXPECT_EQ(parse("86401"), 24h);
  EXPECT_EQ(parse("9223372036854775807"), 24h);
  EXPECT_EQ(parse("Fri, 16 Oct 2026 12:00:00 GMT"), 24h);
  EXPECT_EQ(parse("Fri, 16 Oct 2026 12:00:01 GMT"), 24h);
  EXPECT_EQ(parse("Friday, 01-Jan-27 00:00:00 GMT"), 24h);
}

TEST(RetryAfter, ANonsenseDateGivesNothing) {
  for (const std::string_view value :
       {"Thu, 31 Feb 2026 12:00:30 GMT", "Thu, 00 Oct 2026 12:00:30 GMT",
        "Thu, 15 Okt 2026 12:00:30 GMT", "Thu, 15 Oct 2026 24:00:00 GMT",
        "Thu, 15 Oct 2026 12:60:00 GMT", "Thu, 15 Oct 2026 12:00:61 GMT",
        "Thu, 15 Oct 2026 12:00:30", "Thu, 15 Oct 2026 12:00:30 CET",
        "Thu, 15 Oct 2026 12:00:30 GMT junk", "Thu, 5 Oct 2026 12:00:30 GMT", "15 Oct 2026",
        "2026-10-15T12:00:30Z", "Thu, ", ",", "GMT"}) {
    EXPECT_EQ(parse(value), std::nullopt) << value;
  }
}

}  // namespace
}  // namespace core
