// When requests may start, and what becomes of those who are left when the last date is over.
#include <gtest/gtest.h>

#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::LoneWorker;
using testing::status;

// Ten members a batch, one request a second.
Policy slow() {
  Policy policy = testing::without_deadline();
  policy.batch = 10;
  policy.lanes = 10;
  policy.min_interval = 1s;
  return policy;
}

struct Night : LoneWorker {
  explicit Night(std::int64_t members, const Policy& the_policy = slow())
      : LoneWorker(members, the_policy), begins(campaign.now) {}
  Exit run() {
    driver.hours = hours;
    const Exit exit = driver.run();
    for (const testing::Flight& sent : driver.sends()) {
      const DbTime at = begins + (sent.started - first_instant);
      EXPECT_GE(at, hours.opens);
      EXPECT_LT(at, hours.closes);
      EXPECT_LT(at, hours.not_after);
    }
    return exit;
  }

  DbTime begins;
  Instant first_instant = driver.now();
  Hours hours;
};

TEST(Worker, NoRequestStartsAtOrAfterTheClose) {
  Night night(30);
  night.hours.closes = night.begins + 15s;
  night.hours.opens_again = DbTime(std::chrono::seconds(1'796'130'000));
  const Exit exit = night.run();
  EXPECT_EQ(exit.code, ExitCode::work_remains);
  EXPECT_EQ(exit.reason, "the window has closed, and opens again at 2026-12-01T13:00:00Z");
  EXPECT_EQ(night.driver.sends().size(), 15u);
  EXPECT_EQ(night.campaign.count(RowState::sent), 15);
}

// field case: F41
TEST(Worker, TheRestOfABatchGoesBackUnsentWhenTheWindowCloses) {
  Night night(30);
  night.driver.latency = 3s;
  night.hours.closes = night.begins + 15s;
  night.run();
  EXPECT_EQ(night.campaign.count(RowState::sent), 15) << "what is in flight is recorded";
  EXPECT_EQ(night.campaign.attempts(), 0);
  for (const auto& [id, batch] : night.campaign.batches)
    EXPECT_NE(batch.state, testing::CampaignInMemory::Batch::leased);
  testing::WorkerDriver next(night.policy, night.campaign, 2, 1);
  EXPECT_EQ(next.run().code, ExitCode::done);
  EXPECT_EQ(night.campaign.count(RowState::sent), 30);
  EXPECT_EQ(night.driver.sends().size() + next.sends().size(), 30u);
}

TEST(Worker, WhoIsDoneBeforeTheCloseIsDone) {
  Night night(10);
  night.hours.closes = night.begins + 15s;
  EXPECT_EQ(night.run().code, ExitCode::done);
}

TEST(Worker, BeforeTheOpeningItWaits) {
  Night night(10);
  night.hours.opens = night.begins + 3600s;
  night.hours.closes = night.begins + 7200s;
  night.driver.hours = night.hours;
  night.driver.start();
  night.driver.run_until([&] { return night.driver.waiting() && !night.driver.is_busy(); });
  EXPECT_EQ(night.driver.waiting()->db_until, night.hours.opens);
  EXPECT_EQ(night.run().code, ExitCode::done);
  EXPECT_EQ(night.campaign.count(RowState::sent), 10);
}

TEST(Worker, AnOpeningBeyondTheDeadlineEndsItAtOnce) {
  Policy policy = slow();
  policy.deadline = 3000s;
  Night night(10, policy);
  night.hours.opens = night.begins + 3000s;
  night.hours.closes = night.begins + 7200s;
  const Exit exit = night.run();
  EXPECT_EQ(exit.code, ExitCode::work_remains);
  EXPECT_TRUE(exit.reason.starts_with("the window opens at 2027-01-15T")) << exit.reason;
  EXPECT_LT(night.driver.now() - night.first_instant, Duration(1s));
}

// The database's clock was told when the answer set out, not when it arrived.
TEST(Worker, ASlowAnswerDoesNotPutOffTheClose) {
  Night night(30);
  night.hours.closes = night.begins + 5s;
  night.driver.hours = night.hours;
  night.driver.start();
  ASSERT_TRUE(night.driver.has_asked<Plan>());
  const DbTime told = night.begins;
  night.driver.pass(4s);
  night.driver.answer_store_with({StoreStatus::answered, told, Planned{true, 1}, ""});
  night.driver.step();
  EXPECT_LE(night.driver.waiting()->until, night.first_instant + 5s);
}

TEST(Worker, AfterTheLastDateWhoIsLeftIsSkipped) {
  Night night(30);
  night.hours.not_after = night.begins + 15s;
  night.campaign.not_after = night.hours.not_after;
  const Exit exit = night.run();
  EXPECT_EQ(exit.code, ExitCode::look);
  EXPECT_EQ(exit.reason,
            "15 members were never mailed: the campaign's last date (campaigns.not_after) is over");
  EXPECT_EQ(exit.report.totals.stale, 15);
  EXPECT_EQ(exit.report.totals.remaining, 0);
  EXPECT_EQ(night.campaign.count(RowState::sent), 15);
  EXPECT_EQ(night.campaign.count(RowState::skipped), 15);
}

TEST(Worker, AStartAfterTheLastDateSkipsEverybodyAndMailsNobody) {
  Night night(500);
  night.hours.not_after = night.begins - 1s;
  night.campaign.not_after = night.hours.not_after;
  EXPECT_EQ(night.run().code, ExitCode::look);
  EXPECT_TRUE(night.driver.sends().empty());
  EXPECT_EQ(night.campaign.count(RowState::skipped), 500);
  testing::WorkerDriver again(night.policy, night.campaign, 2, 1);
  again.hours = night.hours;
  EXPECT_EQ(again.run().code, ExitCode::look) << "a person must still look";
}

TEST(Worker, WhoMayHaveBeenSentIsUnknownAfterTheLastDate) {
  Night night(20);
  night.driver.provider = [](MemberId member, const std::string&) {
    return number(member) == 3 ? testing::failed(Transport::in_doubt) : status(200);
  };
  night.hours.not_after = night.begins + 15s;
  night.campaign.not_after = night.hours.not_after;
  EXPECT_EQ(night.run().code, ExitCode::look);
  EXPECT_EQ(night.member(3).state, RowState::unknown);
  EXPECT_EQ(night.member(3).reason, "stale");
}

// Another worker's claim is his until its lease ends.
TEST(Worker, ALiveClaimIsWaitedForBeforeItsMembersAreSkipped) {
  Night night(20);
  testing::WorkerDriver dead(night.policy, night.campaign, 2);
  dead.start();
  dead.run_until([&] { return dead.sends().size() == 1; });
  night.hours.not_after = night.begins + 5s;
  night.campaign.not_after = night.hours.not_after;
  EXPECT_EQ(night.run().code, ExitCode::look);
  EXPECT_GE(night.driver.now() - night.first_instant, night.policy.lease);
  EXPECT_EQ(night.campaign.count(RowState::unknown), 10) << "his whole batch";
}

TEST(Worker, StopEndsTheSkipping) {
  Night night(5'000);
  night.hours.not_after = night.begins - 1s;
  night.campaign.not_after = night.hours.not_after;
  night.driver.hours = night.hours;
  night.driver.start();
  night.run_until_asked<SkipStale>();
  night.driver.tell(Stop{});
  const Exit exit = night.run();
  EXPECT_EQ(exit.code, ExitCode::work_remains);
  EXPECT_EQ(exit.reason, "stopped");
}

TEST(Worker, AHaltedCampaignIsNotSkipped) {
  Night night(20);
  night.hours.not_after = night.begins - 1s;
  night.campaign.not_after = night.hours.not_after;
  night.campaign.halted = true;
  EXPECT_EQ(night.run().code, ExitCode::work_remains);
  EXPECT_EQ(night.campaign.count(RowState::pending), 20);
}

}  // namespace
}  // namespace core
