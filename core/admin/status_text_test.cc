#include "core/admin/status_text.h"

#include <gtest/gtest.h>

namespace core::admin {
namespace {

using namespace std::chrono_literals;

TEST(Limit, IsReadAsItIsWritten) {
  for (const char* text : {"500/s", "5/min", "1/min", "1/h", "1/s", "300/s"}) {
    const auto interval = parse_limit(text);
    ASSERT_TRUE(interval) << text;
    if (std::string(text) != "300/s") {
      EXPECT_EQ(limit_text(*interval), text);
    }
  }
  EXPECT_EQ(parse_limit("500"), Duration(2ms));
  EXPECT_EQ(parse_limit("5/min"), Duration(12s));
  EXPECT_EQ(parse_limit("300/s"), Duration(3334us));  // never faster than asked
  EXPECT_EQ(parse_limit("none"), Duration(0));
  EXPECT_EQ(limit_text(Duration(0)), "no limit");
}

TEST(Limit, IsRefused) {
  for (const char* text : {"", "0", "-5/s", "1.5/s", "5/day", "5 /s", "5/", "/s", "abc", "500/s ",
                           "99999999999999999999/s"})
    EXPECT_FALSE(parse_limit(text)) << text;
}

Status open_campaign() {
  Status status;
  status.now = DbTime(1'772'323'200s);
  status.template_name = "spring";
  status.planned = true;
  status.total = 1'200'000;
  status.sent = 600'000;
  status.failed = 4'010;
  status.waiting = 595'990;
  status.sent_last_minute = 29'500;
  status.interval = 2ms;
  status.reasons = {{"failed", "http 422", 4'000}, {"failed", "http 400", 10}};
  return status;
}

TEST(StatusText, SaysWhyAndHowLong) {
  const std::string text = status_text(open_campaign(), "spring", "https://mail");
  EXPECT_TRUE(text.contains("campaign spring, template spring: open, as of 2026-03-01T00:00:00Z\n"))
      << text;
  EXPECT_TRUE(text.contains("  sent               600,000  50.0 %\n")) << text;
  EXPECT_TRUE(text.contains("4,010  http 422 4,000; http 400 10\n")) << text;
  EXPECT_TRUE(text.contains("takes another 20 min 13 s at the last minute's 29,500\n")) << text;
}

TEST(StatusText, FitsInto100Columns) {
  Status status = open_campaign();
  status.reasons.clear();
  for (int i = 0; i < 30; ++i)
    status.reasons.push_back({"failed", std::string(80, 'x'), 1'000'000});
  const std::string text = status_text(status, "spring", "https://mail");
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    EXPECT_LE(end - first, 100U) << text;
    first = end + 1;
  }
}

TEST(StatusText, APausedOneHasNoEnd) {
  Status status = open_campaign();
  status.paused = true;
  const std::string text = status_text(status, "spring", "https://mail");
  EXPECT_TRUE(text.contains(": paused, as of")) << text;
  EXPECT_FALSE(text.contains("takes another")) << text;
}

TEST(StatusJson, HoldsTheSameCounts) {
  const std::string text = status_json(open_campaign(), "spring", "https://mail");
  EXPECT_TRUE(text.contains("\"sent\": 600000")) << text;
  EXPECT_TRUE(text.contains("\"state\": \"open\"")) << text;
  EXPECT_TRUE(text.contains("\"finishes_in_s\": 1212")) << text;
}

}  // namespace
}  // namespace core::admin
