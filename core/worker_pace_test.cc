// The worker and time: checks that grow old, slots, budgets, deadlines, signals.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::CampaignInMemory;
using testing::LoneWorker;
using testing::status;
using testing::without_rate;

// Runs to the end; the age of the opt-out check that each request rests on is counted from when it
// was asked for.
Duration oldest_check(LoneWorker& night, Duration database_latency) {
  std::map<MemberId, Instant> checked;
  Instant asked_at{};
  night.driver.on_asked = [&](const StoreCommand&) { asked_at = night.driver.now(); };
  night.driver.after_store = [&](const StoreCommand& command, const StoreAnswer&) {
    const auto* recheck = std::get_if<Recheck>(&command);
    if (recheck == nullptr) return;
    for (const MemberId member : recheck->members) checked[member] = asked_at;
  };
  Duration oldest{0};
  std::size_t seen = 0;
  night.driver.start();
  while (!night.driver.exit()) {
    if (night.driver.has_asked<Recheck>() && database_latency > 0s)
      night.driver.pass(database_latency);
    night.driver.step();
    for (; seen < night.driver.sends().size(); ++seen) {
      const auto& send = night.driver.sends()[seen];
      oldest = std::max(oldest, send.started - checked.at(send.member));
    }
  }
  return oldest;
}

TEST(Worker, ACheckThatHasGrownOldIsRepeated) {
  for (const Duration interval : {Duration(0), Duration(30ms), Duration(150ms)}) {
    SCOPED_TRACE(to_text(interval));
    Policy policy = without_rate();
    policy.min_interval = interval;
    policy.lanes = 10;
    LoneWorker night(100, policy);
    night.driver.latency = 90ms;
    EXPECT_LT(oldest_check(night, 30ms), policy.recheck_max_age);
    EXPECT_EQ(night.campaign.count(RowState::sent), 100);
  }
}

// field case: F13
TEST(Worker, ACheckAnsweredTooLateAllowsNobody) {
  LoneWorker night(10);
  night.start_until_asked<Recheck>();
  night.driver.pass(night.policy.recheck_max_age);
  night.driver.answer_store();
  EXPECT_TRUE(night.driver.sends().empty());
  EXPECT_EQ(night.driver.run().report.sent, 10);
}

// What happens while no statement is answered any more, for two leases; the provider answers.
void cut_off_for_two_leases(LoneWorker& night) {
  const Instant cut = night.driver.now();
  while (night.driver.now() < cut + 2 * night.policy.lease) {
    const auto& flying = night.driver.flying();
    if (!flying.empty() && night.driver.now() >= flying.front().started + night.driver.latency) {
      night.driver.answer_send(flying.front().member, testing::status(200));
    } else {
      night.driver.pass(10ms);
    }
  }
}

// field case: F13
TEST(Worker, WhoIsCutOffFromItsDatabaseStopsSendingWithItsLastCheck) {
  LoneWorker night(200);
  night.driver.latency = 20ms;
  night.start_until_asked<Recheck>();
  const Instant checked = night.driver.now();
  night.driver.answer_store();
  cut_off_for_two_leases(night);
  ASSERT_FALSE(night.driver.sends().empty());
  EXPECT_LT(night.driver.sends().back().started, checked + night.policy.recheck_max_age);
}

// Even if checks did not grow old: by its own clock, before its lease ends. How many requests start
// when five members were checked and found no lane before the cut, and lanes come free so late.
std::size_t sends_when_lanes_come_free_after(Duration latency) {
  Policy policy = without_rate();
  policy.recheck_max_age = std::chrono::hours(1);
  policy.recheck_group = policy.batch;
  policy.lanes = 50;
  LoneWorker night(200, policy);
  night.driver.latency = latency;
  night.start_until_asked<Recheck>();
  night.driver.answer_store();
  for (int i = 0; i < 45; ++i)
    night.driver.answer_send(night.driver.flying().front().member, status(200));
  while (night.driver.sends().size() < 95) night.driver.answer_store();
  cut_off_for_two_leases(night);
  return night.driver.sends().size();
}

// field case: F13
TEST(Worker, WhoIsCutOffFromItsDatabaseStopsSendingBeforeItsLeaseEnds) {
  EXPECT_EQ(sends_when_lanes_come_free_after(Policy().batch_budget - 1s), 100u);
  EXPECT_EQ(sends_when_lanes_come_free_after(Policy().batch_budget + 1s), 95u);
}

// field case: F35
TEST(Worker, AMemberThatOptsOutAfterTheClaimIsNotSent) {
  LoneWorker night(10);
  night.start_until_asked<Recheck>();
  night.member(3).opted_out = true;
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  EXPECT_EQ(night.driver.sends().size(), 9u);
  EXPECT_EQ(night.driver.exit()->report.totals.opted_out, 1);
}

// field case: F38
TEST(Worker, NoRequestStartsOutsideItsSlot) {
  Policy policy;
  policy.rate_per_s = 100;
  policy.lanes = 20;
  LoneWorker night(300, policy);
  night.driver.latency = 150ms;
  const Instant origin = night.driver.now();
  const DbTime db_origin = night.campaign.now;
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  ASSERT_EQ(night.driver.sends().size(), 300u);
  std::vector<DbTime> free = night.campaign.slots;
  for (const auto& send : night.driver.sends()) {
    const DbTime started = db_origin + (send.started - origin);
    const auto slot = std::find_if(free.begin(), free.end(), [&](DbTime at) {
      return at <= started && started <= at + policy.slot_max_lateness;
    });
    ASSERT_NE(slot, free.end());
    free.erase(slot);
  }
  const Duration took = night.driver.sends().back().started - night.driver.sends().front().started;
  EXPECT_GE(took, 299 * Duration(10'152));  // 98.5 % of the limit
  EXPECT_LE(took, 300 * Duration(11'000));
}

// What is reserved under a limit is sent under it, though it may have been lowered meanwhile.
// field case: F39
TEST(Worker, ReservesSlotsForNoMoreThanASecondAhead) {
  for (const std::int64_t rate : {1, 10, 500}) {
    SCOPED_TRACE(rate);
    Policy policy;
    policy.rate_per_s = rate;
    LoneWorker night(60, policy);
    std::size_t seen = 0;
    night.driver.after_store = [&](const StoreCommand&, const StoreAnswer&) {
      for (; seen < night.campaign.slots.size(); ++seen)
        EXPECT_LE(night.campaign.slots[seen] - night.campaign.now, Duration(2s) / rate + 1s);
    };
    EXPECT_EQ(night.driver.run().code, ExitCode::done);
    EXPECT_GE(seen, 60U);
  }
}

TEST(Worker, ASlotMissedByMoreThanItsLatenessIsForfeited) {
  Policy policy;
  policy.rate_per_s = 100;
  policy.lanes = 3;
  LoneWorker night(300, policy);
  night.start_until_asked<ReserveSlots>();
  StoreAnswer late;
  late.db_now = night.campaign.now;
  late.result = SlotsReserved{3, night.campaign.now - 5001us, 2500us, std::nullopt};
  night.driver.answer_store_with(late);  // at -5.001, -2.501 and -0.001 ms
  night.driver.run_until([&] { return !night.driver.sends().empty(); });
  EXPECT_EQ(night.driver.sends().size(), 2u);
}

TEST(Worker, KeepsTheLeastTimeBetweenItsOwnRequests) {
  Policy policy = without_rate();
  policy.min_interval = 2ms;
  LoneWorker night(100, policy);
  night.driver.latency = 50ms;
  night.driver.run();
  for (std::size_t i = 1; i < night.driver.sends().size(); ++i) {
    EXPECT_GE(night.driver.sends()[i].started - night.driver.sends()[i - 1].started, 2ms);
  }
}

// field case: F10
TEST(Worker, AfterStopNothingStartsAndTheRestIsReleased) {
  for (const bool retries : {false, true}) {
    SCOPED_TRACE(retries ? "retries" : "batch");
    Policy policy = without_rate();
    policy.lanes = 5;
    LoneWorker night(50, policy);
    night.driver.latency = 6s;
    if (retries) {
      for (auto& [id, member] : night.campaign.members) member.not_before = night.campaign.now;
    }
    night.driver.start();
    night.driver.run_until([&] { return night.driver.flying().size() == 5; });
    const Instant stopped = night.driver.now();
    night.driver.tell(Stop{});
    const Exit exit = night.driver.run();
    EXPECT_EQ(exit.code, ExitCode::work_remains);
    EXPECT_EQ(exit.reason, "stopped");
    EXPECT_EQ(night.driver.sends().size(), 5u);
    EXPECT_EQ(night.campaign.count(RowState::sent), 5);  // what was in flight is recorded
    EXPECT_EQ(exit.report.totals.remaining, 45);
    EXPECT_LE(night.driver.now() - stopped, 7s);
    for (const auto& [id, member] : night.campaign.members) {
      if (member.state == RowState::sent) continue;
      EXPECT_FALSE(member.lease_until);
      EXPECT_EQ(member.attempts, 0);
    }
    for (const auto& [id, batch] : night.campaign.batches)
      EXPECT_NE(batch.state, CampaignInMemory::Batch::leased);
  }
}

// Whatever it is doing or waiting for when it is told to stop: planning, claiming, sending,
// recording, sweeping up members who were added late, counting.
TEST(Worker, StopAtAnyMomentIsTheEndOfSending) {
  Policy policy = without_rate();
  policy.lanes = 5;
  policy.batch = 10;
  policy.recheck_group = 5;
  bool left_by_itself = false;
  for (int steps = 0; !left_by_itself; ++steps) {
    SCOPED_TRACE(steps);
    ASSERT_LT(steps, 1000);
    LoneWorker night(30, policy);
    night.driver.before_store = [&](const StoreCommand& command) {
      if (!std::holds_alternative<Sweep>(command) || night.campaign.members.size() > 30) return;
      for (std::int64_t id = 31; id <= 55; ++id) night.campaign.members[MemberId(id)];
    };
    night.driver.start();
    for (int i = 0; i < steps && !night.driver.exit(); ++i) night.driver.step();
    left_by_itself = night.driver.exit().has_value();
    const std::size_t sent = night.driver.sends().size();
    if (!left_by_itself) night.driver.tell(Stop{});
    const Exit exit = night.driver.run();
    EXPECT_EQ(night.driver.sends().size(), sent);
    EXPECT_EQ(night.campaign.count(RowState::sent), static_cast<std::int64_t>(sent));
    EXPECT_EQ(exit.code,
              exit.report.totals.remaining > 0 ? ExitCode::work_remains : ExitCode::done);
    EXPECT_EQ(exit.reason, left_by_itself ? "" : "stopped");
    for (const auto& [id, batch] : night.campaign.batches)
      EXPECT_NE(batch.state, CampaignInMemory::Batch::leased);
  }
}

TEST(Worker, ARefusalWhileLeavingIsWhatItSays) {
  LoneWorker night(10);
  night.start_until_asked<ClaimBatch>();
  night.driver.tell(Stop{});
  StoreAnswer refused;
  refused.status = StoreStatus::refused;
  refused.error = "permission denied";
  night.driver.answer_store_with(refused);
  EXPECT_EQ(night.driver.run().code, ExitCode::refused);
  EXPECT_EQ(night.driver.exit()->reason, "permission denied");
}

TEST(Worker, StopWithNothingInFlightLeavesAtOnce) {
  LoneWorker night(10);
  night.start_until_asked<ClaimBatch>();
  const Instant stopped = night.driver.now();
  night.driver.tell(Stop{});
  EXPECT_EQ(night.driver.run().code, ExitCode::work_remains);
  EXPECT_TRUE(night.driver.sends().empty());
  EXPECT_EQ(night.driver.now(), stopped);
  EXPECT_EQ(night.campaign.batches.at(1).state, CampaignInMemory::Batch::open);
}

// A provider that hangs can't hold the process up beyond its drain.
TEST(Worker, LeavesAfterItsDrainEvenIfRequestsHang) {
  LoneWorker night(10);
  night.driver.start();
  night.driver.run_until([&] { return night.driver.flying().size() == 10; });
  const Instant stopped = night.driver.now();
  night.driver.tell(Stop{});
  while (!night.driver.exit()) {
    if (night.driver.asked()) {
      night.driver.answer_store();
    } else {
      night.driver.pass(
          std::max<Duration>(night.driver.waiting()->until - night.driver.now(), 1us));
    }
  }
  EXPECT_EQ(night.driver.exit()->code, ExitCode::work_remains);
  EXPECT_EQ(night.driver.now() - stopped,
            night.policy.worst_send() + 2 * night.policy.statement_timeout);
}

TEST(Worker, TheDeadlineEndsTheRun) {
  Policy policy = without_rate();
  policy.deadline = 100s;
  policy.lanes = 1;
  LoneWorker night(1000, policy);
  night.driver.latency = 1s;
  const Instant started = night.driver.now();
  const Exit exit = night.driver.run();
  EXPECT_EQ(exit.code, ExitCode::work_remains);
  EXPECT_EQ(exit.reason, "DEADLINE_S is over");
  EXPECT_LT(night.driver.sends().back().started - started, policy.deadline);
  EXPECT_EQ(night.campaign.count(RowState::sent),
            static_cast<std::int64_t>(night.driver.sends().size()));
  EXPECT_LE(night.driver.now() - started, policy.deadline + policy.worst_send());
}

TEST(Worker, WaitsForTheDatabasesTimeWhenNothingIsDue) {
  LoneWorker night(1);
  night.member(1).not_before = night.campaign.now + 100s;
  night.driver.start();
  night.driver.run_until(
      [&] { return !night.driver.is_busy() && night.driver.waiting()->db_until; });
  EXPECT_EQ(night.driver.waiting()->db_until, night.member(1).not_before);
  EXPECT_EQ(night.driver.waiting()->holding, 0);
  night.campaign.now += 100s;  // the harness moved the database's clock, not ours
  night.driver.tell(Due{});
  night.driver.run_until([&] { return !night.driver.sends().empty(); });
  EXPECT_EQ(night.driver.sends().size(), 1u);
}

}  // namespace
}  // namespace core
