#include "harness/counting/count.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace harness {
namespace {

// Members 1..n, addressed m<id>@x.
Audience audience(std::int64_t n) {
  Audience all;
  for (std::int64_t id = 1; id <= n; ++id)
    all.add({.id = id, .opted_out_us = std::nullopt}, fmt::format("m{}@x", id));
  all.seal();
  return all;
}

reports::SenderResult count(const Audience& all, const std::string& lines) {
  Tally tally(all);
  std::istringstream input("arrival_us,owner,recipient,key,status,outcome\n" + lines);
  const auto read = read_ledger(input, "ledger.csv", [&](const LedgerRow& row) { tally.add(row); });
  EXPECT_TRUE(read.has_value());
  reports::SenderResult result;
  tally.write(result);
  return result;
}

TEST(Count, EveryMemberOnceIsPlain) {
  const auto result = count(audience(2), "1,p1,1,k:1,200,delivered\n2,p1,2,k:2,200,delivered\n");
  EXPECT_EQ(result.members, 2);
  EXPECT_EQ(result.accepted, 2);
  EXPECT_EQ(result.requests, 2);
  EXPECT_EQ(result.duplicates + result.lost + result.failed + result.repeats, 0);
}

TEST(Count, DuplicatesAreMembersAndExtrasAreMails) {
  const auto result = count(audience(3),
                            "1,p1,1,,200,delivered\n2,p1,1,,200,delivered\n3,p2,1,,0,delivered\n"
                            "4,p2,2,,200,delivered\n5,p2,m3@x,,200,delivered\n");
  EXPECT_EQ(result.accepted, 3);
  EXPECT_EQ(result.duplicates, 1);
  EXPECT_EQ(result.extra_deliveries, 2);
}

TEST(Count, ARepeatIsNoDelivery) {
  const auto result = count(audience(1), "1,p1,1,k,200,delivered\n2,p2,1,k,200,repeat\n");
  EXPECT_EQ(result.duplicates, 0);
  EXPECT_EQ(result.repeats, 1);
  EXPECT_EQ(result.requests, 2);
}

TEST(Count, LostFailedUnknownAndOptedOutAreApart) {
  Audience all;
  all.add({.id = 1, .opted_out_us = std::nullopt}, "");  // a 503 only
  all.add({.id = 2, .opted_out_us = std::nullopt}, "");  // a 422
  all.add({.id = 3, .opted_out_us = std::nullopt, .truth = Truth::unknown},
          "");  // said to be unknown
  all.add({.id = 4, .opted_out_us = 5}, "");
  all.add({.id = 5, .opted_out_us = std::nullopt}, "");  // never tried
  all.add({.id = 6, .opted_out_us = std::nullopt}, "");  // a 422, then delivered
  all.seal();
  const auto result = count(all,
                            "1,p1,1,,503,refused\n2,p1,2,,422,refused\n"
                            "3,p1,6,,422,refused\n4,p1,6,,200,delivered\n");
  EXPECT_EQ(result.lost, 2);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.unknown, 1);
  EXPECT_EQ(result.opted_out, 1);
  EXPECT_EQ(result.accepted, 1);
}

TEST(Count, AnOptOutHasAHundredMillisecondsOfGrace) {
  Audience all = audience(1);
  all.opted_out(1, 1'000'000);
  const auto result = count(all,
                            "999999,p1,1,k,503,refused\n1100000,p1,1,k,503,refused\n"
                            "1100001,p1,1,k,503,refused\n1200000,p1,1,k,200,delivered\n");
  EXPECT_EQ(result.opted_out, 1);
  EXPECT_EQ(result.opt_outs_in_grace, 1);
  EXPECT_EQ(result.late_opt_outs, 2) << "refused requests are late too";
}

TEST(Count, TheTableAndTheProviderMustAgreeOnFailures) {
  Audience all;
  all.add({.id = 1, .opted_out_us = std::nullopt, .truth = Truth::failed}, "");
  all.add({.id = 2, .opted_out_us = std::nullopt, .truth = Truth::failed}, "");
  all.add({.id = 3, .opted_out_us = std::nullopt, .truth = Truth::sent}, "");
  all.seal();
  Tally tally(all);
  tally.add({.arrival_us = 1, .recipient = "1", .status = 422, .outcome = Outcome::refused});
  tally.add({.arrival_us = 2, .recipient = "3", .status = 422, .outcome = Outcome::refused});
  EXPECT_EQ(tally.failed_disagree(false), 2);
  EXPECT_EQ(tally.failed_disagree(true), 1) << "an answer that was never recorded is no claim";
}

// The reference gives up who is always turned away while others are sent, and says so in its table.
TEST(Count, WhoWasTriedInVainAndGivenUpHasFailedAndIsNotLost) {
  Audience all;
  for (std::int64_t id : {1, 2})
    all.add({.id = id, .opted_out_us = std::nullopt, .truth = Truth::failed}, "");
  all.add({.id = 3, .opted_out_us = std::nullopt}, "");
  all.seal();
  Tally tally(all);
  for (const char* member : {"1", "3"})
    tally.add({.arrival_us = 1,
               .recipient = member,
               .status = 503,
               .outcome = member[0] == '1' ? Outcome::refused : Outcome::unavailable});
  reports::SenderResult result;
  tally.write(result);
  EXPECT_EQ(result.failed, 2);
  EXPECT_EQ(result.lost, 1);
  EXPECT_EQ(tally.failed_disagree(false), 1) << "nobody asked about member 2";
  EXPECT_EQ(tally.failed_disagree(true), 1);
}

TEST(Count, StrangersAreCountedApart) {
  const Audience all = audience(1);
  Tally tally(all);
  tally.add({.arrival_us = 1, .recipient = "77"});
  tally.add({.arrival_us = 1, .recipient = "nobody@x"});
  EXPECT_EQ(tally.strangers(), 2);
}

TEST(Count, TheBusiestSecondIsHalfOpen) {
  std::vector<std::int64_t> arrivals{2'000'000, 0, 1'000'000, 999'999, 500'000};
  EXPECT_EQ(most_in_any_second(arrivals), 3);  // 0, 500000, 999999; 1000000 is in the next second
  std::vector<std::int64_t> none;
  EXPECT_EQ(most_in_any_second(none), 0);
}

TEST(LedgerCsv, TakesASmallOneAndQuotes) {
  std::istringstream input("id,recipient,arrival_us\n\"a,\"\"b\"\"\",7,12\r\nx,m1@x,13\n");
  std::vector<std::string> seen;
  const auto read = read_ledger(input, "f", [&](const LedgerRow& row) {
    seen.push_back(std::string(row.recipient) + "@" + std::to_string(*row.arrival_us));
    EXPECT_EQ(row.outcome, Outcome::delivered);
  });
  EXPECT_TRUE(read.has_value());
  EXPECT_EQ(seen, (std::vector<std::string>{"7@12", "m1@x@13"}));
}

TEST(LedgerCsv, SaysFileAndLine) {
  const auto error = [](const std::string& text) {
    std::istringstream input(text);
    const auto read = read_ledger(input, "f.csv", [](const LedgerRow&) {});
    return read ? "" : read.error();
  };
  EXPECT_EQ(error(""), "f.csv:0: empty: the first line names the columns");
  EXPECT_TRUE(error("a,b\n1,2\n").starts_with("f.csv:1: no column `recipient`"));
  EXPECT_TRUE(
      error("recipient,arrival_us\n1,2\n3,soon\n").starts_with("f.csv:3: arrival_us `soon`"));
  EXPECT_EQ(error("recipient\n1\n1,2\n"), "f.csv:3: 2 fields where the first line names 1");
  EXPECT_TRUE(error("recipient,outcome\n1,lovely\n").starts_with("f.csv:2: outcome `lovely`"));
  EXPECT_TRUE(error("recipient\n\"1\n").starts_with("f.csv:2: a quote"));
  // What is passed over because its name is not quite right would be counted as if it were not
  // there.
  EXPECT_EQ(error("recipient, status\n1,503\n"), "f.csv:1: column ` status`: write it `status`");
  EXPECT_EQ(error("Recipient\n1\n"), "f.csv:1: column `Recipient`: write it `recipient`");
  EXPECT_EQ(error("recipient,recipient\n1,2\n"), "f.csv:1: two columns `recipient`");
  EXPECT_EQ(error("\xef\xbb\xbfrecipient\n1\n"), "");
  EXPECT_TRUE(error("recipient,status\n1,202\n").starts_with("f.csv:2: status 202: only 200"));
}

}  // namespace
}  // namespace harness
