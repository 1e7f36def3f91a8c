// A campaign's window and last date on PostgreSQL: what the row keeps, and what the statements make
// of it.
#include <gtest/gtest.h>

#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;
using testing::Database;

constexpr DbTime last_date{std::chrono::seconds(1'800'000'000)};

void end_campaign(Campaign& campaign) {
  campaign.sql().run("update campaigns set not_after = campaign_clock()");
}
Skipped skip(PgStore& store) {
  const StoreReply reply = store.execute(SkipStale{});
  EXPECT_EQ(reply.answer.status, StoreStatus::answered) << reply.answer.error;
  return std::get<Skipped>(reply.answer.result);
}

TEST(Hours, AreFrozenByTheFirstStartAndOthersAreRefused) {
  Database database;
  database.add_members(1, 3);
  const auto open = [&](const std::optional<std::string>& window, std::optional<DbTime> not_after) {
    ConnectionSettings settings;
    settings.dsn = database.dsn();
    PgStore store(connect_with_pqxx(settings), {"spring", "provider", Policy(), 0});
    PgStore::Opened opened;
    const auto refusal = store.open({{}, {}, window, not_after}, opened);
    return refusal ? refusal->message
                   : opened.window + "; " + (opened.not_after == last_date ? "last date" : "none");
  };
  EXPECT_EQ(open("22:00-06:00 Asia/Tokyo", last_date), "22:00-06:00 Asia/Tokyo; last date");
  EXPECT_EQ(open({}, {}), "22:00-06:00 Asia/Tokyo; last date");
  EXPECT_EQ(open("22:00-06:00 Asia/Tokyo", last_date), "22:00-06:00 Asia/Tokyo; last date");
  EXPECT_TRUE(open("22:00-05:00 Asia/Tokyo", {}).starts_with("WINDOW=22:00-05:00 Asia/Tokyo: "));
  EXPECT_TRUE(open({}, last_date + 1s).starts_with("NOT_AFTER=2027-01-15T08:00:01Z: "));
}

TEST(Hours, WhatIsHalfAWindowTheSchemaRefuses) {
  Campaign campaign;
  campaign.database.add_members(1, 1);
  (void)campaign.sender();
  EXPECT_THROW(campaign.sql().run("update campaigns set window_open = '22:00'"),
               std::runtime_error);
  EXPECT_THROW(campaign.sql().run("update campaigns set window_open = '22:00',"
                                  " window_close = '22:00', window_zone = 'UTC'"),
               std::runtime_error);
}

TEST(Hours, ACheckSaysThatTheyHaveChanged) {
  Campaign campaign;
  campaign.database.add_members(1, 3);
  const auto sender = campaign.sender();
  const auto halted = [&] {
    return std::get<Rechecked>(
               sender->store->execute(Recheck{testing::members(1, 3), {}}).answer.result)
        .halted;
  };
  EXPECT_FALSE(halted());
  campaign.sql().run("update campaigns set hours_version = hours_version + 1");
  EXPECT_TRUE(halted());
}

TEST(SkipStale, TakesNobodyBeforeTheLastDateOrInAPausedCampaign) {
  Campaign campaign;
  campaign.database.add_members(1, 10);
  const auto sender = campaign.sender();
  sender->store->execute(Plan{0});
  EXPECT_EQ(skip(*sender->store).taken, 0);
  campaign.sql().run("update campaigns set not_after = campaign_clock() + interval '1 s'");
  EXPECT_EQ(skip(*sender->store).taken, 0);
  end_campaign(campaign);
  campaign.sql().run("update campaigns set paused = true");
  EXPECT_TRUE(skip(*sender->store).halted);
  EXPECT_EQ(campaign.states(), "10 pending");
}

TEST(SkipStale, LeavesALiveClaimAloneAndThenHoldsItsMembersForAPerson) {
  Campaign campaign;
  campaign.policy.batch = 5;
  campaign.database.add_members(1, 15);
  const auto dead = campaign.sender();
  dead->store->execute(Plan{0});
  dead->store->execute(ClaimBatch{{1, 1}});
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock() where member_id = 15");
  dead->store->execute(ClaimRetries{{1, 2}, 10, false});
  end_campaign(campaign);
  const auto sender = campaign.sender(2);
  EXPECT_EQ(skip(*sender->store).members, 9);
  EXPECT_EQ(campaign.states(), "6 pending, 9 skipped");
  const Skipped waits = skip(*sender->store);
  EXPECT_EQ(waits.taken, 0);
  EXPECT_TRUE(waits.wake);
  campaign.database.pass(campaign.policy.lease);
  EXPECT_EQ(skip(*sender->store).members, 6);
  EXPECT_EQ(campaign.states(), "9 skipped, 6 unknown") << "they may have been sent";
  EXPECT_EQ(campaign.count("reason = 'stale'"), 15);
  EXPECT_FALSE(skip(*sender->store).wake) << "nobody is left";
  const StoreReply late =
      dead->store->execute(RecordBatch{BatchId(1), {1, 1}, testing::members(1, 5), {}, true});
  EXPECT_EQ(std::get<Recorded>(late.answer.result).verdict, RecordVerdict::stale);
}

TEST(SkipStale, WhoHasOptedOutStaysSoWithHisDoubt) {
  Campaign campaign;
  campaign.database.add_members(1, 4);
  const auto dead = campaign.sender();
  dead->store->execute(Plan{0});
  dead->store->execute(ClaimBatch{{1, 1}});
  campaign.sql().run(
      "update campaign_targets set opted_out_at = campaign_clock() where member_id = 2");
  end_campaign(campaign);
  campaign.database.pass(campaign.policy.lease);
  EXPECT_EQ(skip(*dead->store).members, 3);
  EXPECT_EQ(campaign.states(), "1 pending, 3 unknown");
  EXPECT_EQ(
      campaign.count("member_id = 2 and not_before is not null and maybe_sent_since is not null"),
      1);
}

TEST(SkipStale, TakesTenBatchesAtATime) {
  Campaign campaign;
  campaign.database.add_members(1, 5'000);
  const auto sender = campaign.sender();
  sender->store->execute(Plan{0});
  end_campaign(campaign);
  EXPECT_EQ(skip(*sender->store).members, 2'000);
  EXPECT_EQ(skip(*sender->store).members, 2'000);
  EXPECT_EQ(skip(*sender->store).members, 1'000);
}

TEST(SkipStale, NeverWaitsForABatchThatIsBeingClaimed) {
  Campaign campaign;
  campaign.policy.batch = 5;
  campaign.database.add_members(1, 10);
  const auto sender = campaign.sender();
  sender->store->execute(Plan{0});
  end_campaign(campaign);
  testing::Session claimer(campaign.database.dsn());
  claimer.run("begin");
  claimer.run("select from campaign_batches where batch_id = 1 for update");
  EXPECT_EQ(skip(*sender->store).members, 5);
  claimer.run("rollback");
  EXPECT_EQ(skip(*sender->store).members, 5);
}

// The whole: members in batches, in the retry pool, and added late.
TEST(SkipStale, AWorkerSkipsEverybodyWhoIsLeft) {
  Campaign campaign;
  campaign.database.add_members(1, 2'500);
  (void)campaign.sender()->store->execute(Plan{0});
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock() where member_id <= 7");
  campaign.sql().run(
      "update campaign_targets set opted_out_at = campaign_clock() where member_id = 9");
  campaign.database.add_members(2'501, 2'503);
  end_campaign(campaign);
  const auto sender = campaign.lone_sender();
  sender->driver.hours.not_after = *sender->store->clock();
  const Exit exit = sender->driver.run();
  EXPECT_EQ(exit.code, ExitCode::look);
  EXPECT_EQ(exit.report.totals.stale, 2'502);
  EXPECT_EQ(campaign.states(), "1 pending, 2502 skipped");
  EXPECT_TRUE(sender->driver.sends().empty());
  EXPECT_EQ(campaign.sql().value("select count(*) from campaign_batches where state <> 'done'"),
            "0");
}

}  // namespace
}  // namespace core::pg
