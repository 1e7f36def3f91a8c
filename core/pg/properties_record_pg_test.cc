// The properties of what is recorded: the fence, attempts, budgets.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using core::testing::status;
using testing::Campaign;
using testing::members;
using testing::Sender;

// Ten members that two workers hold one after the other.
struct Takeover {
  Takeover(Campaign& the_campaign, bool in_retry_pool)
      : campaign(the_campaign), retries(in_retry_pool) {
    campaign.start_over(10);
    if (retries) campaign.to_retry_pool();
    // Stalls with all answers in hand, "sent" every one, and none recorded. Its lease ends.
    stale = campaign.sender(1);
    stale->driver.start();
    stale->driver.run_until([&] { return asks_to_record(*stale); });
    EXPECT_EQ(stale->driver.sends().size(), 10u);
    campaign.database.pass(campaign.policy.lease);
    // Takes over and knows better of members 1 and 2.
    next = campaign.sender(2);
    next->driver.provider = [](MemberId member, const std::string&) {
      return status(member == MemberId(1) ? 503 : member == MemberId(2) ? 422 : 200);
    };
    next->driver.start();
    next->driver.run_until([&] { return next->driver.flying().size() == 10; });
    EXPECT_EQ(next->driver.held(), members(1, 10));
  }
  bool asks_to_record(const Sender& sender) const {
    return retries ? sender.driver.has_asked<RecordRetries>()
                   : sender.driver.has_asked<RecordBatch>();
  }
  std::string rows() const {
    return campaign.sql().value(
        "select string_agg(concat_ws(' ', member_id, state, reason, attempts, sent_at, not_before, "
        "maybe_sent_since,"
        " retry_token, retry_lease_until), e'\\n' order by member_id) from campaign_targets");
  }
  void stale_one_wakes() const {
    const std::string before = rows();
    stale->driver.answer_store();
    EXPECT_EQ(rows(), before);
    EXPECT_EQ(stale->driver.worker().report().stale_writes, 10);
    EXPECT_EQ(stale->driver.worker().report().sent, 0);
    EXPECT_TRUE(stale->driver.held().empty());
    EXPECT_EQ(stale->driver.sends().size(), 10u);
  }
  void successor_records_all_but_one() const {
    for (int member = 1; member <= 9; ++member) {
      next->driver.answer_send(MemberId(member), next->driver.provider(MemberId(member), ""));
    }
    while (next->driver.held().size() > 1) {
      if (next->driver.asked()) {
        next->driver.answer_store();
      } else {
        next->driver.pass(campaign.policy.record_at_least_every);
      }
    }
  }
  void successor_ends() const {
    next->driver.run_until([&] { return next->driver.held().empty(); });
    EXPECT_EQ(campaign.states(), "1 failed, 1 pending, 8 sent");
    EXPECT_EQ(campaign.count(
                  "member_id = 1 and state = 'pending' and attempts = 1 and reason = 'http 503'"),
              1);
    EXPECT_EQ(campaign.count("member_id = 2 and state = 'failed' and reason = 'http 422'"), 1);
    EXPECT_EQ(next->driver.worker().report().stale_writes, 0);
  }

  Campaign& campaign;
  bool retries;
  std::unique_ptr<Sender> stale, next;
};

// Killer of: a record that doesn't compare the token. In every order of the two commits the
// successor's word stands, and the stale worker sends and records nothing more of that claim.
// field case: F08
TEST(Property, AStaleWorkerCannotOverwriteAfterAReclaim) {
  Campaign campaign;
  for (const bool retries : {false, true}) {
    {
      SCOPED_TRACE(retries ? "retries, the stale record comes first"
                           : "batch, the stale record comes first");
      const Takeover takeover(campaign, retries);
      takeover.stale_one_wakes();
      takeover.successor_ends();
    }
    {
      SCOPED_TRACE(retries ? "retries, it comes between two of the successor's"
                           : "batch, it comes between two");
      const Takeover takeover(campaign, retries);
      takeover.successor_records_all_but_one();
      takeover.stale_one_wakes();
      takeover.successor_ends();
    }
    {
      SCOPED_TRACE(retries ? "retries, it comes last" : "batch, it comes last");
      const Takeover takeover(campaign, retries);
      takeover.successor_ends();
      takeover.stale_one_wakes();
    }
  }
}

// Killer of: a repeated record that writes a member who went to the retry pool the first time. The
// answer to a record was lost; until it is repeated, another worker has the member in his hands.
// field case: F09
TEST(Property, ARepeatedRecordLeavesTheRetryPoolAlone) {
  Campaign campaign;
  campaign.start_over(3);
  const auto sender = campaign.sender(1);
  const auto other = campaign.sender(2);
  const auto done = [](Sender& by, const StoreCommand& command) {
    StoreReply reply = by.store->execute(command);
    EXPECT_EQ(reply.answer.status, StoreStatus::answered) << reply.answer.error;
    return reply.answer.result;
  };
  done(*sender, Plan{0});
  const auto claimed = std::get<Claimed>(done(*sender, ClaimBatch{Token{1, 1}}));
  RecordBatch record;
  record.batch = claimed.batch;
  record.token = Token{1, 1};
  for (const std::int64_t id : {1, 2}) {
    Outcome retry;
    retry.member = MemberId(id);
    retry.attempts = 1;
    retry.reason = "http 503";
    retry.delay = 1s;
    record.others.push_back(retry);
  }
  EXPECT_EQ(std::get<Recorded>(done(*sender, record)).changed, 2);
  campaign.database.pass(5s);
  const auto retries = std::get<Claimed>(done(*other, ClaimRetries{Token{2, 2}, 1, false}));
  ASSERT_EQ(retries.members.size(), 1u);
  const std::string rows =
      "select string_agg(concat_ws(' ', member_id, state, attempts, not_before, maybe_sent_since, "
      "retry_token), e'\\n' order by member_id) from campaign_targets";
  const std::string before = campaign.sql().value(rows);
  EXPECT_EQ(std::get<Recorded>(done(*sender, record)).changed, 0);
  record.sent = {MemberId(1), MemberId(2)};  // nor as sent
  record.others.clear();
  EXPECT_EQ(std::get<Recorded>(done(*sender, record)).changed, 0);
  EXPECT_EQ(campaign.sql().value(rows), before);
}

// Killers of: a retry that is due at once, a delay that doesn't double, a last attempt that isn't.
TEST(Property, RetryBacksOffThenFailsAfterTheLastAttempt) {
  Campaign campaign;
  campaign.policy.deadline = std::chrono::hours(6);
  campaign.database.add_members(1, 50);
  const auto worker = campaign.lone_sender();
  worker->driver.provider = [](MemberId member, const std::string&) {
    return status(member == MemberId(7) ? 503 : 200);
  };
  std::vector<Duration> delays;
  DbTime due{};
  const auto has_seven = [](const auto& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [](const auto& o) { return o.member == MemberId(7); });
  };
  worker->driver.after_store = [&](const StoreCommand& command, const StoreAnswer& answer) {
    const auto* batch = std::get_if<RecordBatch>(&command);
    const auto* retries = std::get_if<RecordRetries>(&command);
    const bool recorded = (batch != nullptr && has_seven(batch->others)) ||
                          (retries != nullptr && has_seven(retries->others));
    if (recorded && campaign.count("member_id = 7 and not_before is not null") == 1) {
      due = DbTime(Duration(
          campaign.sql().number("select (extract(epoch from not_before) * 1000000)::bigint from "
                                "campaign_targets where member_id = 7")));
      delays.push_back(due - answer.db_now);
    }
    if (const auto* claimed = std::get_if<Claimed>(&answer.result);
        claimed != nullptr && !delays.empty()) {
      for (const ClaimedMember& member : claimed->members) {
        EXPECT_EQ(member.id, MemberId(7));
        EXPECT_GE(answer.db_now, due);
        EXPECT_EQ(member.attempts, static_cast<int>(delays.size()));
      }
    }
  };
  const Exit exit = worker->driver.run();
  ASSERT_EQ(delays.size(), 4u);
  Duration least = campaign.policy.backoff;
  for (const Duration delay : delays) {
    const bool last = least == campaign.policy.backoff * 8;  // and nobody else is left
    const Duration more = last ? campaign.policy.last_try : Duration(0);
    EXPECT_GE(delay, least + more);
    EXPECT_LE(delay, least * 3 / 2 + more + 1s);  // not_before is a whole second
    least *= 2;
  }
  EXPECT_EQ(worker->driver.sends().size(), 49u + 5u);
  EXPECT_EQ(
      campaign.count("member_id = 7 and state = 'failed' and attempts = 5 and reason = 'http 503'"),
      1);
  EXPECT_EQ(exit.report.totals.failed, 1);
  EXPECT_EQ(exit.report.totals.remaining, 0);
}

// Killers of: a batch without a budget, a release that counts as an attempt or leaves doubt behind.
TEST(Property, OverBudgetTheRestIsReleasedWithoutCountingAnAttempt) {
  Campaign campaign;
  campaign.policy.lanes = 1;
  campaign.policy.batch = 20;
  for (const bool retries : {false, true}) {
    SCOPED_TRACE(retries ? "retries" : "batch");
    campaign.start_over(20);
    campaign.sql().run("update campaign_targets set attempts = 2");
    if (retries) campaign.to_retry_pool();
    const auto worker = campaign.lone_sender();
    worker->driver.latency =
        7s;  // the ninth request starts 56 s after the claim, a tenth would 63 s after
    worker->driver.start();
    worker->driver.run_until([&] { return !worker->driver.held().empty(); });
    worker->driver.run_until([&] { return worker->driver.held().empty(); });
    EXPECT_EQ(worker->driver.sends().size(), 9u);
    EXPECT_EQ(campaign.states(), "11 pending, 9 sent");
    EXPECT_EQ(campaign.count("state = 'pending' and attempts = 2 and retry_token is null and "
                             "retry_lease_until is null and"
                             " maybe_sent_since is null"),
              11);
    EXPECT_EQ(
        campaign.count("state = 'pending' and coalesce(not_before <= campaign_clock(), true)"), 11);
    EXPECT_EQ(campaign.sql().number("select count(*) from campaign_batches where state = 'leased' "
                                    "or maybe_sent_since is not null and"
                                    " state = 'open'"),
              0);
    EXPECT_EQ(worker->driver.run().code, ExitCode::done);
    EXPECT_EQ(worker->driver.sends().size(), 20u);
    EXPECT_EQ(campaign.states(), "20 sent");
  }
}

}  // namespace
}  // namespace core::pg
