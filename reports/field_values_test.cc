#include "reports/field_values.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

using scenarios::Field;

TEST(AmountText, RoundsToItsDecimals) {
  EXPECT_EQ(amount_text({1'234'567, 1'000'000, 3}), "1.235");
  EXPECT_EQ(amount_text({1'234'499, 1'000'000, 3}), "1.234");
  EXPECT_EQ(amount_text({5'994, 1000, 2}), "5.99");
  EXPECT_EQ(amount_text({5'995, 1000, 2}), "6.00");
  EXPECT_EQ(amount_text({0, 1000, 2}), "0.00");
  EXPECT_EQ(amount_text({-1'500, 1000, 2}), "-1.50");
  EXPECT_EQ(amount_text({-1, 1000, 2}), "0.00");
}

TEST(AmountText, GroupsThousands) {
  EXPECT_EQ(amount_text({999}, true), "999");
  EXPECT_EQ(amount_text({1'000}, true), "1,000");
  EXPECT_EQ(amount_text({-1'200'000}, true), "-1,200,000");
  EXPECT_EQ(amount_text({9'223'372'036'854'775'807}, true), "9,223,372,036,854,775,807");
  EXPECT_EQ(amount_text({9'223'372'036'854'775'807}), "9223372036854775807");
}

TEST(AmountOf, EachFieldIsItsOwn) {
  RunResult run;
  run.senders.emplace_back();
  SenderResult& s = run.senders[0];
  std::int64_t* const counts[] = {
      &s.members,      &s.accepted, &s.duplicates, &s.extra_deliveries, &s.lost,
      &s.failed,       &s.unknown,  &s.opted_out,  &s.late_opt_outs,    &s.opt_outs_in_grace,
      &s.stale_writes, &s.repeats,  &s.requests,   &s.peak_rss_bytes};
  std::int64_t next = 100;
  for (std::int64_t* count : counts) *count = next++;
  next = 100;
  for (const Field field : scenarios::kAllFields) {
    if (field == Field::peak_rss_spread_bytes) break;  // the first that is no plain count
    EXPECT_EQ(amount_of(run, s, field)->count, next++) << field_name(field);
  }
  EXPECT_EQ(next, s.peak_rss_bytes + 1);
}

TEST(AmountOf, WhatWasNotMeasuredIsNothing) {
  RunResult run;
  run.senders.emplace_back();
  EXPECT_FALSE(amount_of(run, run.senders[0], Field::db_us_per_member));
  EXPECT_FALSE(amount_of(run, run.senders[0], Field::peak_rss_spread_bytes));
  run.senders[0].db_ns_per_member = 5'512;
  EXPECT_EQ(amount_text(*amount_of(run, run.senders[0], Field::db_us_per_member)), "5.51");
}

TEST(AmountOf, TheSpreadIsOfOneSenderAndAtItsLastEntry) {
  RunResult run;
  for (const auto& [name, rss] :
       std::vector<std::pair<std::string, std::int64_t>>{{"reference", 900},
                                                         {"naive", 5},
                                                         {"reference", 700},
                                                         {"reference", 800},
                                                         {"naive", 65}}) {
    run.senders.emplace_back();
    run.senders.back().sender = name;
    run.senders.back().peak_rss_bytes = rss;
  }
  EXPECT_FALSE(amount_of(run, run.senders[0], Field::peak_rss_spread_bytes));
  EXPECT_EQ(amount_of(run, run.senders[3], Field::peak_rss_spread_bytes)->count, 200);
  EXPECT_EQ(amount_of(run, run.senders[4], Field::peak_rss_spread_bytes)->count, 60);
}

}  // namespace
}  // namespace reports
