// The worker and its claims: bounds, fences, lost answers, members that cannot be sent.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::CampaignInMemory;
using testing::failed;
using testing::LoneWorker;
using testing::status;
using testing::without_rate;

StoreAnswer in_doubt() {
  StoreAnswer answer;
  answer.status = StoreStatus::in_doubt;
  answer.error = "connection lost";
  return answer;
}

StoreAnswer not_done() {
  StoreAnswer answer;
  answer.status = StoreStatus::not_done;
  answer.error = "no connection";
  return answer;
}

// field case: F44
TEST(Worker, NeverStartsMoreThanABatchUnrecorded) {
  Policy policy = without_rate();
  policy.batch = 50;
  LoneWorker night(500, policy);
  night.driver.start();
  std::int64_t most = 0;
  // The provider is quicker than the database: every answer comes before any statement's.
  while (!night.driver.exit()) {
    if (!night.driver.flying().empty()) {
      night.driver.answer_send(night.driver.flying().front().member, status(200));
    } else {
      night.driver.step();
    }
    std::set<MemberId> unrecorded;
    for (const auto& send : night.driver.sends()) {
      if (night.campaign.members.at(send.member).state == RowState::pending)
        unrecorded.insert(send.member);
    }
    most = std::max(most, static_cast<std::int64_t>(unrecorded.size()));
    ASSERT_LE(night.driver.worker().started_unrecorded(), 50);
  }
  EXPECT_EQ(most, 50);
  EXPECT_EQ(night.driver.exit()->report.sent, 500);
  EXPECT_EQ(night.campaign.count(RowState::sent), 500);
}

// The last batch is its own: nothing is left to wait for once it is recorded.
TEST(Worker, LeavesAsSoonAsItsLastBatchIsRecorded) {
  LoneWorker night(150);
  night.driver.latency = 300ms;
  Instant recorded{};
  night.driver.after_store = [&](const StoreCommand& command, const StoreAnswer&) {
    if (std::holds_alternative<RecordBatch>(command)) recorded = night.driver.now();
  };
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  EXPECT_EQ(night.campaign.count(RowState::sent), 150);
  EXPECT_EQ(night.driver.now(), recorded);
}

// field case: F08
TEST(Worker, AStaleRecordStopsTheRestOfTheClaim) {
  Policy policy = without_rate();
  policy.lanes = 3;
  LoneWorker night(10, policy);
  night.start_until_asked<ClaimBatch>();
  night.driver.answer_store();
  night.driver.run_until([&] { return night.driver.flying().size() == 3; });
  for (int i = 0; i < 2; ++i)
    night.driver.answer_send(night.driver.flying().front().member, status(200));
  while (!night.driver.has_asked<RecordBatch>()) {
    if (night.driver.asked()) {
      night.driver.answer_store();
    } else {
      night.driver.pass(200ms);
    }
  }
  const Token token = std::get<RecordBatch>(*night.driver.asked()).token;
  const auto recorded =
      static_cast<std::int64_t>(std::get<RecordBatch>(*night.driver.asked()).sent.size());
  const std::size_t started = night.driver.sends().size();
  StoreAnswer stale;
  stale.db_now = night.campaign.now;
  stale.result = Recorded{RecordVerdict::stale, 0};
  night.campaign.batches.at(1).state =
      CampaignInMemory::Batch::done;  // the successor has finished it
  for (auto& [id, member] : night.campaign.members) member.state = RowState::sent;
  night.driver.answer_store_with(stale);
  while (!night.driver.flying().empty())
    night.driver.answer_send(night.driver.flying().front().member, status(200));
  const Exit exit = night.driver.run();
  EXPECT_EQ(night.driver.sends().size(), started);
  for (const RecordBatch& record : night.all<RecordBatch>()) {
    if (record.token != token) continue;
    EXPECT_EQ(static_cast<std::int64_t>(record.sent.size()), recorded);
  }
  EXPECT_EQ(exit.report.stale_writes, recorded);
  EXPECT_EQ(exit.report.sent, 0);
  EXPECT_EQ(exit.code, ExitCode::done);
}

// field case: F22
TEST(Worker, ALostClaimIsReadBackByItsTokenBeforeAnythingElse) {
  for (const bool retries : {false, true}) {
    SCOPED_TRACE(retries ? "retries" : "batch");
    for (const bool was_made : {false, true}) {
      SCOPED_TRACE(was_made ? "the claim was made" : "it was not");
      LoneWorker night(10);
      night.driver.start();
      if (retries) {
        for (auto& [id, member] : night.campaign.members) member.not_before = night.campaign.now;
      }
      night.driver.run_until([&] {
        return retries ? night.driver.has_asked<ClaimRetries>()
                       : night.driver.has_asked<ClaimBatch>();
      });
      const StoreCommand claim = *night.driver.asked();
      const Token token =
          retries ? std::get<ClaimRetries>(claim).token : std::get<ClaimBatch>(claim).token;
      if (was_made) night.campaign.execute(claim);
      night.driver.answer_store_with(in_doubt());
      ASSERT_FALSE(night.driver.asked());  // not at once: the server may be restarting
      night.run_until_asked<ReadBack>();
      EXPECT_EQ(night.asked.size(), night.all<Plan>().size() + night.all<ClaimBatch>().size() +
                                        night.all<ClaimRetries>().size() + 1);
      EXPECT_EQ(std::get<ReadBack>(*night.driver.asked()).token, token);
      EXPECT_EQ(std::get<ReadBack>(*night.driver.asked()).retries, retries);
      night.driver.answer_store_with(in_doubt());  // and once more
      night.run_until_asked<ReadBack>();
      EXPECT_EQ(std::get<ReadBack>(*night.driver.asked()).token, token);
      night.driver.answer_store();
      EXPECT_EQ(night.driver.held().size(), was_made ? 10u : 0u);
      EXPECT_EQ(night.driver.run().code, ExitCode::done);
      EXPECT_EQ(night.driver.sends().size(), 10u);
    }
  }
}

TEST(Worker, AClaimThatWasNotMadeIsAskedForAgain) {
  LoneWorker night(10);
  night.start_until_asked<ClaimBatch>();
  const Token token = std::get<ClaimBatch>(*night.driver.asked()).token;
  night.driver.answer_store_with(not_done());
  night.run_until_asked<ClaimBatch>();
  EXPECT_EQ(std::get<ClaimBatch>(*night.driver.asked()).token, token);
  EXPECT_EQ(night.driver.run().report.sent, 10);
}

// field case: F12
TEST(Worker, EveryClaimHasATokenOfItsOwn) {
  Policy policy = without_rate();
  policy.batch = 5;
  LoneWorker night(100, policy);
  night.driver.run();
  std::set<Token> tokens;
  std::size_t claims = 0;
  const auto note = [&](const auto& claim) {
    tokens.insert(claim.token);
    ++claims;
  };
  for (const ClaimBatch& claim : night.all<ClaimBatch>()) note(claim);
  for (const ClaimRetries& claim : night.all<ClaimRetries>()) note(claim);
  EXPECT_GT(claims, 20u);
  EXPECT_EQ(tokens.size(), claims);
}

// A record in doubt is sent again as it was, and what it finds done already is its own work.
TEST(Worker, ALostRecordIsRepeatedAndNotTakenForStale) {
  for (const bool retries : {false, true}) {
    SCOPED_TRACE(retries ? "retries" : "batch");
    LoneWorker night(10);
    if (retries) {
      for (auto& [id, member] : night.campaign.members) member.not_before = night.campaign.now;
    }
    night.driver.start();
    night.driver.run_until([&] {
      return retries ? night.driver.has_asked<RecordRetries>()
                     : night.driver.has_asked<RecordBatch>();
    });
    night.campaign.execute(*night.driver.asked());
    night.driver.answer_store_with(in_doubt());
    const Exit exit = night.driver.run();
    EXPECT_EQ(exit.code, ExitCode::done);
    EXPECT_EQ(exit.report.sent, 10);
    EXPECT_EQ(exit.report.stale_writes, 0);
    EXPECT_EQ(night.driver.sends().size(), 10u);
  }
}

TEST(Worker, AKeyThatTheProviderMayHaveForgottenIsNotUsedAgain) {
  const Policy policy = without_rate();
  const Duration key_lives = policy.dedupe_window - policy.dedupe_margin - policy.batch_budget;
  for (const Duration age : {key_lives - 1s, key_lives}) {
    SCOPED_TRACE(to_text(age));
    const std::size_t sendable = age < key_lives ? 2 : 0;
    LoneWorker night(3);
    night.member(1).not_before = night.campaign.now;  // in the pool, sent perhaps
    night.member(1).since = night.campaign.now - age;
    night.start_until_asked<ClaimBatch>();
    night.campaign.batches.at(1).since =
        night.campaign.now - age;  // of a batch that a crash left behind: 2 and 3
    night.member(3).state = RowState::sent;
    const Exit exit = night.driver.run();
    EXPECT_EQ(night.driver.sends().size(), sendable);
    EXPECT_EQ(exit.report.totals.unknown, 2 - static_cast<std::int64_t>(sendable));
    EXPECT_EQ(exit.code, sendable > 0 ? ExitCode::done : ExitCode::look);
    const char* reason = sendable == 0 ? "dedupe window over" : "";
    EXPECT_EQ(night.member(1).reason, reason);
    EXPECT_EQ(night.member(2).reason, reason);
  }
}

// Something in this batch kills its workers. Nobody is sent with it again; alone, each finds its
// end.
// A lease begins with its transaction, and that may have been long under way, or its answer lost,
// before the worker hears of it.
// field case: F15
TEST(Worker, ALeaseIsCountedFromBeforeItsClaimWasAsked) {
  Policy policy = without_rate();
  policy.lanes = 10;
  LoneWorker night(200, policy);
  night.driver.latency = 6s;
  night.start_until_asked<ClaimBatch>();
  const Instant asked = night.driver.now();
  night.campaign.execute(*night.driver.asked());
  night.driver.pass(20s);
  night.driver.answer_store_with(in_doubt());
  night.run_until_asked<ReadBack>();
  night.driver.pass(20s);
  night.driver.answer_store();
  night.driver.run_until([&] { return night.all<ClaimBatch>().size() > 1; });
  ASSERT_FALSE(night.driver.sends().empty());
  EXPECT_LT(night.driver.sends().size(), 50u);
  EXPECT_LT(night.driver.sends().back().started, asked + policy.batch_budget);
}

// field case: F42
TEST(Worker, ABatchWhoseClaimsExpiredTwiceIsClaimedOneByOne) {
  LoneWorker night(5);
  night.start_until_asked<ClaimBatch>();
  night.campaign.batches.at(1).expired_claims = 2;
  night.campaign.batches.at(1).since = night.campaign.now - 180s;
  night.driver.answer_store();
  EXPECT_TRUE(night.driver.sends().empty());
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  std::size_t suspects = 0;
  for (const ClaimRetries& claim : night.all<ClaimRetries>()) {
    suspects += claim.suspects ? 1 : 0;
    EXPECT_EQ(claim.limit, claim.suspects ? 1 : 100);
  }
  EXPECT_GE(suspects, 5u);
  EXPECT_EQ(night.campaign.count(RowState::sent), 5);
  EXPECT_EQ(night.campaign.attempts(), 0);  // its neighbours lost nothing
}

// field case: F42
TEST(Worker, AMemberWhoseClaimsExpiredFiveTimesIsPoison) {
  LoneWorker night(3);
  for (const int id : {1, 2}) night.member(id).not_before = night.campaign.now;
  night.member(1).expired_claims = 5;
  night.member(2).expired_claims = 4;
  const Exit exit = night.driver.run();
  EXPECT_EQ(night.member(1).state, RowState::unknown);
  EXPECT_EQ(night.member(1).reason, "poison");
  EXPECT_EQ(night.member(2).state, RowState::sent);
  EXPECT_EQ(night.driver.sends().size(), 2u);
  EXPECT_EQ(exit.code, ExitCode::look);
}

// field case: F34
TEST(Worker, AnAddressThatCannotBeSentFailsBeforeAnyRequest) {
  LoneWorker night(3);
  night.start_until_asked<ClaimBatch>();
  StoreReply reply = night.campaign.execute(*night.driver.asked());
  std::get<Claimed>(reply.answer.result).members[1].sendable = false;
  night.driver.answer_store_with(reply.answer);
  night.driver.run();
  EXPECT_EQ(night.member(2).state, RowState::failed);
  EXPECT_EQ(night.member(2).reason, "address");
  EXPECT_EQ(night.driver.sends().size(), 2u);
}

// field case: F23
TEST(Worker, ADatabaseThatIsAwayEndsTheRunAfterItsPatience) {
  LoneWorker night(10);
  night.start_until_asked<ClaimBatch>();
  const Instant away = night.driver.now();
  while (!night.driver.exit()) {
    if (night.driver.asked()) {
      night.driver.answer_store_with(not_done());
    } else {
      night.driver.step();
    }
  }
  EXPECT_EQ(night.driver.exit()->code, ExitCode::work_remains);
  EXPECT_EQ(night.driver.exit()->reason, "the database is away: no connection");
  EXPECT_GE(night.driver.now() - away, night.policy.database_patience);
  EXPECT_LE(night.driver.now() - away, night.policy.database_patience + 10s);
}

TEST(Worker, AStatementThatTheDatabaseRefusesEndsTheRunForGood) {
  LoneWorker night(10);
  night.start_until_asked<ClaimBatch>();
  StoreAnswer refused;
  refused.status = StoreStatus::refused;
  refused.error = "permission denied";
  night.driver.answer_store_with(refused);
  EXPECT_EQ(night.driver.run().code, ExitCode::refused);
  EXPECT_EQ(night.driver.exit()->reason, "permission denied");
}

TEST(Worker, APausedCampaignIsLeftWithItsWork) {
  LoneWorker night(10);
  night.campaign.halted = true;
  EXPECT_EQ(night.driver.run().code, ExitCode::work_remains);
  EXPECT_EQ(night.driver.exit()->reason, "the campaign is paused (campaigns.paused)");
  EXPECT_TRUE(night.driver.sends().empty());
}

// Another's planning hangs in an open transaction, for as long as the server lets it.
TEST(Worker, AsksMoreAndMoreSeldomForWhatSomebodyElseHolds) {
  LoneWorker night(0);
  night.driver.start();
  const Instant end = night.driver.now() + 90s;
  while (night.driver.now() < end) {
    if (night.driver.has_asked<Sweep>()) {
      StoreAnswer held;
      held.db_now = night.campaign.now;
      Swept swept;
      swept.plan_version = 1;
      held.result = swept;
      night.driver.answer_store_with(held);
    } else {
      ASSERT_TRUE(night.driver.step());
    }
  }
  EXPECT_LE(night.all<Sweep>().size(), 30U);
  EXPECT_GE(night.all<Sweep>().size(), 18U);  // at least every poll_max
}

}  // namespace
}  // namespace core
