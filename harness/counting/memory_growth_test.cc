#include "harness/counting/memory_growth.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

reports::SenderResult at(const char* sender, std::int64_t members, std::int64_t peak) {
  reports::SenderResult result;
  result.sender = sender;
  result.members = members;
  result.peak_rss_bytes = peak;
  return result;
}

TEST(MemoryGrowth, IsSaidOnTheLargest) {
  std::vector<reports::SenderResult> results{
      at("naive", 1'000, 1'024'000), at("reference", 1'000, 20'480),
      at("naive", 101'000, 21'024'000), at("reference", 101'000, 10'240)};
  note_memory_growth(results, "peak RSS", 512 * 1024);
  EXPECT_TRUE(results[0].notes.empty());
  ASSERT_EQ(results[2].notes.size(), 3U);
  EXPECT_EQ(
      results[2].notes[0],
      "peak RSS 1000 KiB at 1000 members, 20531 KiB at 101000: +19531 KiB, 200 bytes a member");
  EXPECT_EQ(results[2].notes[1],
            "at this slope a limit of 256 MiB holds 1338057 members, 1 GiB 5364589");
  EXPECT_EQ(results[2].notes[2], "least peak RSS that can be seen: 512 KiB");
  ASSERT_EQ(results[3].notes.size(), 2U);
  EXPECT_EQ(results[3].notes[0],
            "peak RSS 20 KiB at 1000 members, 10 KiB at 101000: -10 KiB, 0 bytes a member");
}

TEST(MemoryGrowth, OneSizeSaysNothing) {
  std::vector<reports::SenderResult> results{at("naive", 1'000, 1'024'000)};
  note_memory_growth(results, "peak RSS", 1);
  EXPECT_TRUE(results[0].notes.empty());
}

}  // namespace
}  // namespace harness
