#include "reports/table.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "reports/sample_run.h"
#include "reports/text_layout.h"

namespace reports {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t most = 0;
  for (std::string line; std::getline(in, line);) most = std::max(most, width_of(line));
  return most;
}

TEST(Table, IsThisText) {
  RunResult run = sample_run();
  run.seed = 1;
  run.senders[0].max_in_any_second = 4'000;
  EXPECT_EQ(to_table(run), R"(kill9-at-6000: kill -9

                               reference        naive
members                           10,000       10,000
accepted                           9,990            0
duplicates                             0        6,000
extra_deliveries                       0            0
lost                                   0          149 ! expected 150
failed                                10            0
unknown                                0            0
opted_out                              0            0
late_opt_outs                          0            0
opt_outs_in_grace                      0            0
stale_writes                           0            0
repeats                               48            0
requests                          10,448            0
peak_rss_bytes     18,874,368 (18.0 MiB)  0 (0.0 MiB)
exit_codes                         137 0        137 0
wall_s                             3.142        0.000
skipped_s                         30.000        0.000
db_us_per_member                    5.51            -
max_in_any_second                  4,000            0
steady_per_s                         492            0
expectations                      2 of 2       0 of 1

failed: naive: expected lost = 150, seen 149
naive: runs in real time
PostgreSQL 17.10 (embedded), seed 1
kill9-at-6000: failed, 2 of 3 expectations hold
)");
}

TEST(Table, NoLineIsWiderThan100Columns) {
  RunResult run = sample_run();
  SenderResult& wide = run.senders[0];
  wide.sender =
      "python3 /very/long/path/to/a/sender/with/many/parts/mine.py --with --many "
      "options=\xE6\x97\xA5";
  const std::int64_t big = std::numeric_limits<std::int64_t>::max();
  wide.accepted = wide.requests = wide.peak_rss_bytes = big;
  wide.wall = core::Duration(big);
  wide.exit_codes.assign(100, 137);
  wide.checks.push_back(
      {"accepted <= 9223372036854775806", "9223372036854775807", Verdict::failed});
  wide.checks.push_back(
      {"exit_codes = " + std::string(500, '7'), std::string(500, '8'), Verdict::failed});
  wide.notes = {
      "a note that is much longer than a line of the terminal can ever be, so that it must be "
      "broken at a blank"};
  run.senders = {wide, wide, wide, run.senders[1], wide};
  EXPECT_LE(widest_line(to_table(run)), 100U);
}

TEST(Table, SendersThatDontFitSideBySideMakeAnotherBlock) {
  RunResult run = sample_run();
  const auto blocks = [&] {
    const std::string text = to_table(run);
    std::size_t found = 0;
    for (std::size_t at = text.find("\naccepted "); at != std::string::npos;
         at = text.find("\naccepted ", at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(blocks(), 1U);
  run.senders.assign(6, run.senders[0]);
  EXPECT_EQ(blocks(), 2U);
}

TEST(Table, WhatIsNotAsExpectedIsMarkedWithWhatWas) {
  RunResult run = sample_run();
  run.senders[0].checks.push_back({"failed >= 11", "10", Verdict::inconclusive});
  const std::string text = to_table(run);
  EXPECT_TRUE(text.contains("149 ! expected 150\n")) << text;
  EXPECT_TRUE(text.contains("10 ? expected >= 11")) << text;
  EXPECT_TRUE(text.contains("failed: naive: expected lost = 150, seen 149\n")) << text;
  EXPECT_TRUE(text.contains("inconclusive: reference: expected failed >= 11, seen 10\n")) << text;
}

TEST(Table, AMarkBelongsToItsFieldOnly) {
  RunResult run = sample_run();
  run.senders[1].checks = {{"lost_and_found = 1", "2", Verdict::failed}};
  EXPECT_FALSE(to_table(run).contains("!"));
}

TEST(Table, ColourIsForTerminalsOnly) {
  EXPECT_FALSE(to_table(sample_run()).contains('\x1b'));
  const std::string text = to_table(sample_run(), {.colour = true});
  EXPECT_TRUE(text.contains("\x1b[31m")) << "failed is red";
  RunResult passed = sample_run();
  passed.senders.resize(1);
  passed.verdict = Verdict::passed;
  const std::string green = to_table(passed, {.colour = true});
  EXPECT_TRUE(green.contains("\x1b[32mkill9-at-6000: passed, 2 of 2 expectations hold\x1b[0m\n"))
      << green;
  EXPECT_FALSE(green.contains("\x1b[31m"));
}

TEST(Table, ACommandCantControlTheTerminal) {
  RunResult run = sample_run();
  run.senders[1].sender = "mine\x1b[2J";
  EXPECT_FALSE(to_table(run).contains('\x1b'));
}

TEST(Table, ChoicesAreComparedBelowEachOther) {
  RunResult run = sample_run();
  run.senders.resize(1);
  run.senders.push_back(run.senders[0]);
  run.senders[0].choice = "nightly";
  run.senders[1].choice = "every six hours";
  run.senders[1].last_mail = std::chrono::hours(25);
  run.senders[1].exit_codes = {1, 1, 1, 1, 1, 1, 1, 0};
  const std::string text = to_table(run, {});
  EXPECT_NE(text.find("\nchoice           sender "), std::string::npos) << text;
  EXPECT_NE(text.find("\nevery six hours  reference "), std::string::npos) << text;
  EXPECT_NE(text.find("days"), std::string::npos);
  EXPECT_LE(widest_line(text), 100U) << text;
}

}  // namespace
}  // namespace reports
