#include "core/os/windows.h"

#include <gtest/gtest.h>

#include "core/number_text.h"

namespace core::os {
namespace {

NightWindow window(const std::string& text) {
  const auto parsed = parse_window(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error();
  return parsed.value_or(NightWindow{});
}
// "2026-12-01T13:00:00Z to 2026-12-01T21:00:00Z"
std::string at(const std::string& text, const std::string& moment) {
  const OpenHours hours = hours_at(window(text), parse_moment(moment).value());
  return utc_text(hours.opens) + " to " + utc_text(hours.closes);
}

TEST(Windows, HoldTheInstantOrComeNext) {
  const std::string night = "22:00-06:00 Asia/Tokyo";
  const std::string of_the_first = "2026-12-01T13:00:00Z to 2026-12-01T21:00:00Z";
  EXPECT_EQ(at(night, "2026-12-01T12:00+09:00"), of_the_first) << "it comes";
  EXPECT_EQ(at(night, "2026-12-01T22:00+09:00"), of_the_first) << "its first instant";
  EXPECT_EQ(at(night, "2026-12-02T02:00+09:00"), of_the_first) << "after midnight";
  EXPECT_EQ(at(night, "2026-12-02T05:59:59+09:00"), of_the_first);
  EXPECT_EQ(at(night, "2026-12-02T06:00+09:00"), "2026-12-02T13:00:00Z to 2026-12-02T21:00:00Z")
      << "its end is outside";
  EXPECT_EQ(at("09:00-17:30 UTC", "2026-12-01T17:30Z"),
            "2026-12-02T09:00:00Z to 2026-12-02T17:30:00Z");
}

TEST(Windows, ANightIsShorterOrLongerWhenTheClockIsSet) {
  EXPECT_EQ(at("22:00-06:00 Europe/Berlin", "2026-03-28T23:00Z"),
            "2026-03-28T21:00:00Z to 2026-03-29T04:00:00Z");
  EXPECT_EQ(at("22:00-06:00 Europe/Berlin", "2026-10-24T23:00Z"),
            "2026-10-24T20:00:00Z to 2026-10-25T05:00:00Z");
}

// 02:00 to 03:00 is skipped on 2026-03-29 in Berlin, at 01:00 UTC.
TEST(Windows, ASkippedReadingIsTheMomentOfTheSkip) {
  EXPECT_EQ(at("02:30-06:00 Europe/Berlin", "2026-03-28T23:30Z"),
            "2026-03-29T01:00:00Z to 2026-03-29T04:00:00Z");
  EXPECT_EQ(at("22:00-02:30 Europe/Berlin", "2026-03-28T23:30Z"),
            "2026-03-28T21:00:00Z to 2026-03-29T01:00:00Z");
  EXPECT_EQ(at("02:15-02:45 Europe/Berlin", "2026-03-28T23:30Z"),
            "2026-03-30T00:15:00Z to 2026-03-30T00:45:00Z")
      << "nothing is left of it that day";
}

// 01:00 to 02:00 comes twice on 2026-11-01 in New York, from 05:00 UTC and from 06:00 UTC.
TEST(Windows, OpenAtTheLaterOfTwoReadingsAndCloseAtTheEarlier) {
  EXPECT_EQ(at("01:30-06:00 America/New_York", "2026-11-01T04:30Z"),
            "2026-11-01T06:30:00Z to 2026-11-01T11:00:00Z");
  EXPECT_EQ(at("22:00-01:30 America/New_York", "2026-11-01T04:30Z"),
            "2026-11-01T02:00:00Z to 2026-11-01T05:30:00Z");
  EXPECT_EQ(at("01:15-01:45 America/New_York", "2026-11-01T04:30Z"),
            "2026-11-01T05:15:00Z to 2026-11-01T05:45:00Z")
      << "both in the hour that comes twice";
}

// Samoa went over the date line and had no 30th of December 2011.
TEST(Windows, ADayThatIsSkippedHasNone) {
  EXPECT_EQ(at("09:00-17:00 Pacific/Apia", "2011-12-30T09:00Z"),
            "2011-12-30T19:00:00Z to 2011-12-31T03:00:00Z");
}

TEST(Windows, AreReadStrictly) {
  EXPECT_EQ(text_of(window("22:00-06:05 Asia/Tokyo")), "22:00-06:05 Asia/Tokyo");
  for (const char* wrong :
       {"", "22:00-06:00", "22:00-06:00 ", "22-06 Asia/Tokyo", "22:00-22:00 Asia/Tokyo",
        "24:00-06:00 Asia/Tokyo", "22:60-06:00 Asia/Tokyo", "22:00-06:00  Asia/Tokyo",
        "-2:00-06:00 Asia/Tokyo", "22:00-06:00 Asia/Tokio", "22:00-06:00 ../etc/passwd"})
    EXPECT_FALSE(parse_window(wrong)) << wrong;
  EXPECT_TRUE(parse_window("22:00-06:00 Asia/Tokio").error().contains("Asia/Tokio"));
}

TEST(Windows, MomentsNameTheirOffset) {
  EXPECT_EQ(utc_text(parse_moment("2026-12-24T06:00+09:00").value()), "2026-12-23T21:00:00Z");
  EXPECT_EQ(utc_text(parse_moment("2024-02-29T23:59:30-05:30").value()), "2024-03-01T05:29:30Z");
  EXPECT_EQ(utc_text(parse_moment("2026-12-24T06:00Z").value()), "2026-12-24T06:00:00Z");
  for (const char* wrong :
       {"", "2026-12-24", "2026-12-24T06:00", "2026-12-24 06:00Z", "2026-02-29T06:00Z",
        "2026-13-01T06:00Z", "2026-12-24T25:00Z", "2026-12-24T06:00:61Z", "2026-12-24T06:00+9",
        "2026-12-24T06:00Zulu", "26-12-24T06:00:00Z+"})
    EXPECT_FALSE(parse_moment(wrong)) << wrong;
}

}  // namespace
}  // namespace core::os
