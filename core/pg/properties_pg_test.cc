// The properties of claims: who may take what, and when. properties_record_pg_test.cc and
// properties_run_pg_test.cc hold the rest of the ten.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using core::testing::run_together;
using core::testing::status;
using core::testing::WorkerDriver;
using testing::Campaign;
using testing::members;
using testing::Sender;
using testing::Session;

std::vector<MemberId> in_both(std::vector<MemberId> one, std::vector<MemberId> other) {
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  std::vector<MemberId> both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(both));
  return both;
}

// Killer of: a claim that doesn't mark what it took.
TEST(Property, TwoWorkersClaimDisjointMembers) {
  Campaign campaign;
  campaign.policy.batch = 20;
  campaign.database.add_members(1, 500);
  const auto one = campaign.sender(1);
  const auto other = campaign.sender(2);
  std::map<MemberId, int> requests;
  for (Sender* each : {one.get(), other.get()}) {
    each->driver.provider = [&requests](MemberId member, const std::string&) {
      const bool first = ++requests[member] == 1;
      return status(first && number(member) % 25 == 0 ? 503 : 200);
    };
  }
  run_together(
      {&one->driver, &other->driver}, [&](Duration duration) { campaign.database.pass(duration); },
      [&] { ASSERT_EQ(in_both(one->driver.held(), other->driver.held()), members(1, 0)); });
  EXPECT_EQ(campaign.states(), "500 sent");
  EXPECT_EQ(one->driver.sends().size() + other->driver.sends().size(), 520u);
  EXPECT_GT(one->driver.sends().size(), 100u);
  EXPECT_GT(other->driver.sends().size(), 100u);
  for (const auto& [member, count] : requests)
    EXPECT_EQ(count, number(member) % 25 == 0 ? 2 : 1) << number(member);
}

// Killer of: FOR UPDATE without SKIP LOCKED. Only a lock that is held across two sessions shows it:
// what SKIP LOCKED buys is not waiting. Where the claim waits, the connection's lock_timeout ends
// it and nothing is claimed.
// field case: F16
TEST(Property, ClaimNeverWaitsForLockedRows) {
  Campaign campaign;
  campaign.policy.batch = 10;
  campaign.database.add_members(1, 30);
  const auto worker = campaign.sender();
  worker->driver.start();
  Session holder(campaign.database.dsn());

  worker->driver.run_until([&] { return worker->driver.has_asked<ClaimBatch>(); });
  holder.run("begin");
  holder.run("select from campaign_batches where batch_id = 1 for update");
  holder.run(
      "update campaign_targets set opted_out_at = campaign_clock() where member_id = 11");  // of
                                                                                            // batch
                                                                                            // 2
  worker->driver.answer_store();
  EXPECT_EQ(worker->driver.held(), members(11, 20));
  holder.run("rollback");

  campaign.to_retry_pool();
  const auto retrying = campaign.sender(2);
  retrying->driver.start();
  retrying->driver.run_until([&] { return retrying->driver.has_asked<ClaimRetries>(); });
  holder.run("begin");
  holder.run("select from campaign_targets where member_id <= 25 for update");
  retrying->driver.answer_store();
  EXPECT_EQ(retrying->driver.held(), members(26, 30));
  holder.run("rollback");
}

// Killer of: a claim without `opted_out_at is null`. The check before each request would still keep
// the mail back, so what was claimed is looked at, and what counts as remaining.
// field case: F02, F36
TEST(Property, AnOptedOutMemberIsNeverClaimedNorSentNorRemaining) {
  Campaign campaign;
  campaign.policy.batch = 10;
  campaign.database.add_members(1, 30);
  const auto worker = campaign.lone_sender();
  WorkerDriver& driver = worker->driver;
  std::set<MemberId> claimed;
  std::vector<MemberId> held_back;
  const auto opt_out = [&](int member) {
    campaign.sql().run(
        "update campaign_targets set opted_out_at = campaign_clock() where member_id = " +
        std::to_string(member));
  };
  // 5 gets a 503 and opts out while it waits for its retry, 8 between the claim and its request. 6
  // is retried twice, so that the pool is claimed from when 5 would be due.
  int answers_to_six = 0;
  driver.provider = [&](MemberId member, const std::string&) {
    if (member == MemberId(5)) opt_out(5);
    const bool again = member == MemberId(5) || (member == MemberId(6) && ++answers_to_six <= 2);
    return status(again ? 503 : 200);
  };
  driver.after_store = [&](const StoreCommand& command, const StoreAnswer& answer) {
    if (const auto* found = std::get_if<Claimed>(&answer.result)) {
      for (const ClaimedMember& member : found->members) {
        claimed.insert(member.id);
        if (std::holds_alternative<ClaimRetries>(command)) {
          EXPECT_EQ(member.id, MemberId(6));
        }
      }
      if (claimed.contains(MemberId(8)) &&
          campaign.count("member_id = 8 and opted_out_at is null") == 1)
        opt_out(8);
    }
    if (const auto* checked = std::get_if<Rechecked>(&answer.result)) {
      held_back.insert(held_back.end(), checked->held_back.begin(), checked->held_back.end());
    }
  };

  driver.start();
  driver.run_until([&] { return driver.has_asked<ClaimBatch>(); });
  opt_out(3);                                                     // planned, not claimed
  for (int member = 11; member <= 20; ++member) opt_out(member);  // all of batch 2
  EXPECT_EQ(std::get<Totals>(worker->store->execute(CountTotals{}).answer.result).remaining, 19);
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock(), opted_out_at = campaign_clock() "
      "where member_id = 30");
  const Exit exit = driver.run();

  EXPECT_EQ(answers_to_six, 3);
  for (const int opted_out : {3, 11, 15, 20, 30})
    EXPECT_FALSE(claimed.contains(MemberId(opted_out))) << opted_out;
  for (const auto& send : driver.sends()) {
    EXPECT_FALSE(number(send.member) == 3 || number(send.member) == 8 ||
                 number(send.member) == 30 ||
                 (number(send.member) > 10 && number(send.member) <= 20))
        << number(send.member);
  }
  EXPECT_EQ(std::count_if(driver.sends().begin(), driver.sends().end(),
                          [](const auto& send) { return send.member == MemberId(5); }),
            1);
  EXPECT_EQ(held_back, members(8, 8));
  EXPECT_EQ(exit.report.totals.remaining, 0);
  EXPECT_EQ(exit.report.totals.opted_out, 14);
  EXPECT_EQ(exit.code, ExitCode::done);
}

// Killer of: a claim that ignores lease_until.
// field case: F04, F07
TEST(Property, ACrashedClaimIsRetakenOnlyAfterItsLeaseEnds) {
  Campaign campaign;
  campaign.database.add_members(1, 10);
  const auto look = [&](PgStore& store, const StoreCommand& claim) {
    const StoreAnswer answer = store.execute(claim).answer;
    EXPECT_EQ(answer.status, StoreStatus::answered) << answer.error;
    return answer;
  };
  const auto retaken_after_its_lease = [&](const StoreCommand& claim) {
    auto crashing = campaign.sender(1);
    DbTime taken_at{};
    crashing->driver.after_store = [&](const StoreCommand& asked, const StoreAnswer& answer) {
      if (asked.index() == claim.index() && std::get<Claimed>(answer.result).found)
        taken_at = answer.db_now;
    };
    crashing->driver.start();
    crashing->driver.run_until([&] { return !crashing->driver.held().empty(); });
    EXPECT_EQ(crashing->driver.held(), members(1, 10));
    crashing.reset();

    const auto store = campaign.database.store(campaign.policy);
    campaign.database.pass(campaign.policy.lease - 30s);
    const Claimed early = std::get<Claimed>(look(*store, claim).result);
    EXPECT_FALSE(early.found);
    EXPECT_EQ(early.wake, taken_at + campaign.policy.lease);
    campaign.database.pass(30s);
    const Claimed late = std::get<Claimed>(look(*store, claim).result);
    EXPECT_TRUE(late.found);
    EXPECT_EQ(late.members.size(), 10u);
  };
  retaken_after_its_lease(ClaimBatch{Token{1, 1}});
  campaign.to_retry_pool();
  retaken_after_its_lease(ClaimRetries{Token{1, 2}, 100, false});
}

// Killer of: an error that libpqxx keeps apart, taken for a connection that broke. A victim would
// read its own claim back, and wonder about its own record.
TEST(Property, WhatTheServerHasRolledBackIsNotInDoubt) {
  const Campaign campaign;
  const auto transport = connect_with_pqxx({.dsn = campaign.database.dsn()});
  for (const std::string sqlstate : {"40P01", "40001", "57014"}) {
    const std::string sql =
        "do $$ begin raise exception using errcode = '" + sqlstate + "'; end $$";
    const Result result = transport->execute({sqlstate, sql}, {});
    EXPECT_EQ(result.sqlstate, sqlstate);
    EXPECT_EQ(failure(result).status, StoreStatus::not_done) << sqlstate;
  }
}

}  // namespace
}  // namespace core::pg
