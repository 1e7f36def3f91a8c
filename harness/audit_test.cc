#include "harness/audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace harness {
namespace {

// 1 mailed, 2 mailed three times, 3 nothing, 4 opted out at 1 s, 5 failed in the table, 6 unknown
// in the table.
Audience audience() {
  Audience all;
  for (std::int64_t id = 1; id <= 6; ++id) {
    Member member{.id = id, .opted_out_us = {}};
    if (id == 4) member.opted_out_us = 1'000'000;
    if (id == 5) member.truth = Truth::failed;
    if (id == 6) member.truth = Truth::unknown;
    all.add(member, fmt::format("m{}", id));
  }
  all.seal();
  return all;
}

AuditResult audited(const std::string& ledger, bool has_times) {
  const Audience all = audience();
  Tally tally(all);
  std::istringstream input(ledger);
  EXPECT_TRUE(read_ledger(input, "f", [&](const LedgerRow& row) { tally.add(row); }).has_value());
  return audit_of("spring", all, tally, has_times);
}

TEST(Audit, TellsEachGroup) {
  const AuditResult result =
      audited("arrival_us,recipient\n1,1\n2,2\n3,m2\n4,2\n1200000,4\n5,99\n", true);
  EXPECT_EQ(result.members, 6);
  EXPECT_EQ(result.mailed, 3);
  EXPECT_EQ(result.mails, 5);
  ASSERT_EQ(result.more_than_one.count, 1);
  EXPECT_EQ(result.more_than_one.first[0].member, 2);
  EXPECT_EQ(result.more_than_one.first[0].mails, 3);
  ASSERT_EQ(result.none.count, 1);
  EXPECT_EQ(result.none.first[0].member, 3);
  ASSERT_EQ(result.after_opt_out.count, 1);
  EXPECT_EQ(result.after_opt_out.first[0].member, 4);
  EXPECT_EQ(result.refused, 1);
  EXPECT_EQ(result.unknown, 1);
  EXPECT_EQ(result.strangers, 1);
  EXPECT_EQ(verdict_of(result), reports::Verdict::failed);
}

TEST(Audit, NoLineIsLongerThan100Columns) {
  AuditResult result;
  result.campaign = "spring";
  for (std::int64_t member = 1'000'000; member < 1'000'100; ++member) {
    result.none.add(member, 0);
    result.more_than_one.add(member, 12);
  }
  std::istringstream lines(to_table(result));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Audit, ALedgerWithoutTimesCantJudgeOptOuts) {
  const AuditResult result = audited("recipient\n1\n2\n3\n4\n", false);
  EXPECT_EQ(result.after_opt_out.count, 0);
  EXPECT_EQ(verdict_of(result), reports::Verdict::inconclusive);
  EXPECT_NE(to_table(result).find("not judged"), std::string::npos);
  EXPECT_NE(to_json(result).find("\"after_opt_out\": null"), std::string::npos);
}

TEST(Audit, AllWellPasses) {
  const AuditResult result = audited("arrival_us,recipient\n1,1\n2,2\n3,3\n", true);
  EXPECT_EQ(verdict_of(result), reports::Verdict::passed);
}

TEST(Audit, ShowsTwentyAndCountsAll) {
  Audience all;
  for (std::int64_t id = 1; id <= 30; ++id) all.add({.id = id, .opted_out_us = {}}, "");
  all.seal();
  const AuditResult result = audit_of("spring", all, Tally(all), true);
  EXPECT_EQ(result.none.count, 30);
  EXPECT_EQ(result.none.first.size(), 20U);
  EXPECT_NE(to_table(result).find("20 and 10 more"), std::string::npos);
}

}  // namespace
}  // namespace harness
