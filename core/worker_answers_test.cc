// The worker and the provider's answers: whose fault they are, and what they cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::CampaignInMemory;
using testing::failed;
using testing::LoneWorker;
using testing::status;
using testing::without_deadline;
using testing::without_rate;

// field case: F27
TEST(Worker, ThrottlingPausesEverybodyAndCostsNoAttempt) {
  for (const bool says_when : {false, true}) {
    Policy policy = without_rate();
    policy.lanes = 1;
    LoneWorker night(10, policy);
    bool throttled = false;
    Instant at{};
    night.driver.provider = [&](MemberId, const std::string&) {
      if (throttled) return status(200);
      throttled = true;
      at = night.driver.now();
      SendAnswer answer = status(429);
      if (says_when) answer.retry_after = 7s;
      return answer;
    };
    EXPECT_EQ(night.driver.run().code, ExitCode::done);
    ASSERT_EQ(night.all<Pause>().size(), 1u);  // shared: every worker of this provider obeys it
    const Duration pause = says_when ? Duration(7s) : policy.throttle_pause;
    EXPECT_EQ(night.all<Pause>()[0].length, pause);
    EXPECT_EQ(night.campaign.attempts(), 0);
    EXPECT_EQ(night.driver.sends().size(), 11u);
    for (std::size_t i = 1; i < night.driver.sends().size(); ++i)
      EXPECT_GE(night.driver.sends()[i].started, at + pause);
  }
}

// field case: F05
TEST(Worker, AnOutageCostsNobodyAnAttempt) {
  LoneWorker night(600);
  night.driver.latency = 100ms;
  night.start_until_asked<ClaimBatch>();
  const Instant recovered = night.driver.now() + 20min;
  night.driver.provider = [&](MemberId, const std::string&) {
    return status(night.driver.now() < recovered ? 503 : 200);
  };
  night.run_until_asked<Pause>();
  EXPECT_EQ(std::get<Pause>(*night.driver.asked()).length, night.policy.weather_pause);
  EXPECT_EQ(night.campaign.attempts(), 0);
  const std::size_t before_the_pause = night.driver.sends().size();
  EXPECT_LE(before_the_pause, 200u);
  // From here on one request at a time, until one is sent.
  std::size_t probes = 0;
  while (night.campaign.count(RowState::sent) == 0 && !night.driver.exit()) {
    ASSERT_LE(night.driver.flying().size(), 1u + (night.driver.now() >= recovered ? 100u : 0u));
    night.driver.step();
    if (night.driver.now() < recovered) probes = night.driver.sends().size() - before_the_pause;
  }
  EXPECT_GE(probes, 3u);
  EXPECT_LE(probes, 20u);  // pauses double up to their most
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  EXPECT_EQ(night.campaign.count(RowState::sent), 600);
  EXPECT_EQ(night.campaign.attempts(), 0);
}

// An outage of time-outs: everybody's doubt is written down, nobody's attempt.
TEST(Worker, AnOutageOfTimeoutsKeepsTheDoubtAndCostsNoAttempt) {
  LoneWorker night(100);
  night.driver.latency = 1s;
  night.start_until_asked<ClaimBatch>();
  const Instant recovered = night.driver.now() + 10min;
  night.driver.provider = [&](MemberId, const std::string&) {
    return night.driver.now() < recovered ? failed(Transport::in_doubt) : status(200);
  };
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  EXPECT_EQ(night.campaign.count(RowState::sent), 100);
  EXPECT_EQ(night.campaign.attempts(), 0);
}

// Requests that time out come slowly from few lanes: what is still under way decides, not a clock.
TEST(Worker, AnOutageOfTimeoutsOnFewLanesCostsNoAttempt) {
  for (const int lanes : {1, 3, 8}) {
    SCOPED_TRACE(lanes);
    Policy policy = without_rate();
    policy.lanes = lanes;
    policy.lease = 400s;
    policy.batch_budget = 350s;
    policy.connect_timeout = 500ms;
    LoneWorker night(100, policy);
    night.driver.latency = policy.worst_send();
    night.start_until_asked<ClaimBatch>();
    const Instant recovered = night.driver.now() + 20min;
    night.driver.provider = [&](MemberId, const std::string&) {
      return night.driver.now() < recovered ? failed(Transport::in_doubt) : status(200);
    };
    EXPECT_EQ(night.driver.run().code, ExitCode::done);
    EXPECT_EQ(night.campaign.count(RowState::sent), 100);
    EXPECT_EQ(night.campaign.attempts(), 0);
  }
}

// Members who always fail: their own retries must not look like an outage, which would pause
// everybody for ever.
TEST(Worker, AFewMembersThatAlwaysFailComeToAnEnd) {
  for (const std::int64_t always_fail : {9, 19}) {
    SCOPED_TRACE(always_fail);
    LoneWorker night(300, without_deadline());
    night.driver.provider = [&](MemberId member, const std::string&) {
      return status(member <= MemberId(always_fail) ? 503 : 200);
    };
    night.driver.run();
    EXPECT_TRUE(night.all<Pause>().empty());
    EXPECT_EQ(night.campaign.count(RowState::failed), always_fail);
    EXPECT_EQ(night.campaign.count(RowState::sent), 300 - always_fail);
  }
}

// One member who always fails, met by the first probe after an outage, holds nobody up.
TEST(Worker, AfterAnOutageProbesAreAboutOneMemberAfterTheOther) {
  LoneWorker night(300);
  night.driver.latency = 100ms;
  night.start_until_asked<ClaimBatch>();
  const Instant recovered = night.driver.now() + 10s;
  std::set<MemberId> failed_after;
  night.driver.provider = [&](MemberId member, const std::string&) {
    if (night.driver.now() < recovered) return status(503);
    if (member > MemberId(3)) return status(200);
    failed_after.insert(member);
    return status(503);
  };
  night.driver.run_until([&] { return night.campaign.count(RowState::sent) >= 290; });
  EXPECT_LE(night.all<Pause>().size(), 4u);  // of the outage, and of each of the three
  EXPECT_EQ(failed_after.size(), 3u);
  EXPECT_FALSE(night.driver.exit());
}

TEST(Worker, FewerThanTwentyAnswersCantBeAnOutageAndUseAttempts) {
  LoneWorker night(3, without_deadline());
  night.driver.provider = [](MemberId, const std::string&) { return status(503); };
  EXPECT_EQ(night.driver.run().code, ExitCode::look);
  EXPECT_EQ(night.campaign.count(RowState::failed), 3);
  EXPECT_EQ(night.driver.sends().size(), 15u);
}

struct Ending {
  const char* name;
  SendAnswer answer;
  RowState state;
  const char* reason;
};

class WorkerEnding : public ::testing::TestWithParam<Ending> {};

// "Failed" says that the member did not get the mail. Where nobody knows, it says "unknown".
TEST_P(WorkerEnding, AfterFiveAnswersOfOneMember) {
  LoneWorker night(50, without_deadline());
  night.driver.provider = [](MemberId member, const std::string&) {
    return member == MemberId(7) ? GetParam().answer : status(200);
  };
  EXPECT_EQ(night.driver.run().code, ExitCode::look);
  EXPECT_EQ(night.member(7).state, GetParam().state);
  EXPECT_EQ(night.member(7).reason, GetParam().reason);
  EXPECT_EQ(night.member(7).attempts, 5);
  EXPECT_EQ(night.driver.sends().size(), 49u + 5u);
}

INSTANTIATE_TEST_SUITE_P(
    All, WorkerEnding,
    ::testing::Values(
        Ending{"Unavailable", status(503), RowState::failed, "http 503"},
        Ending{"Refused", failed(Transport::not_sent), RowState::failed, "no connection"},
        Ending{"ServerError", status(500), RowState::unknown, "http 500"},
        Ending{"TimedOut", failed(Transport::in_doubt), RowState::unknown, "no answer"},
        Ending{"Conflict", status(409), RowState::unknown, "http 409"},
        Ending{"Accepted", status(202), RowState::unknown, "http 202"}),
    [](const auto& ending) { return std::string(ending.param.name); });

TEST(Worker, ADoubtOutlivesAClearAnswer) {
  LoneWorker night(50, without_deadline());
  int seen = 0;
  night.driver.provider = [&](MemberId member, const std::string&) {
    if (member != MemberId(7)) return status(200);
    return ++seen == 1 ? failed(Transport::in_doubt) : status(503);
  };
  night.driver.run();
  EXPECT_EQ(night.member(7).state, RowState::unknown);
}

TEST(Worker, AMembersOwnRefusalFailsItAtOnce) {
  LoneWorker night(200);
  night.driver.provider = [](MemberId member, const std::string&) {
    return status(member == MemberId(7) ? 422 : 200);
  };
  EXPECT_EQ(night.driver.run().code, ExitCode::done);
  EXPECT_EQ(night.member(7).state, RowState::failed);
  EXPECT_EQ(night.driver.sends().size(), 200u);
}

void expect_untouched(const CampaignInMemory& campaign) {
  for (const auto& [id, member] : campaign.members) {
    EXPECT_EQ(member.state, RowState::pending);
    EXPECT_EQ(member.attempts, 0);
    EXPECT_FALSE(member.not_before);
    EXPECT_FALSE(member.since);
  }
  for (const auto& [id, batch] : campaign.batches) {
    EXPECT_EQ(batch.state, CampaignInMemory::Batch::open);
    EXPECT_FALSE(batch.since);
  }
}

// field case: F30
TEST(Worker, AnExpiredKeyEndsTheRunAtOnceAndTouchesNobody) {
  for (const SendAnswer& answer : {status(401), status(407), failed(Transport::untrusted)}) {
    LoneWorker night(500);
    night.driver.latency = 100ms;
    night.driver.provider = [&](MemberId, const std::string&) { return answer; };
    EXPECT_EQ(night.driver.run().code, ExitCode::refused);
    EXPECT_LE(night.driver.sends().size(), 100u);  // those in flight when the first answer came
    expect_untouched(night.campaign);
  }
}

TEST(Worker, AWrongUrlEndsTheRunAfterTwentyAnswersAndTouchesNobody) {
  for (const int code : {403, 404, 405, 301, 302, 308}) {
    SCOPED_TRACE(code);
    Policy policy = without_rate();
    policy.lanes = 1;
    LoneWorker night(500, policy);
    night.driver.provider = [&](MemberId, const std::string&) { return status(code); };
    EXPECT_EQ(night.driver.run().code, ExitCode::refused);
    EXPECT_EQ(night.driver.sends().size(), 20u);
    expect_untouched(night.campaign);
  }
}

TEST(Worker, NotFoundIsTheMembersOnceOthersAreSent) {
  LoneWorker night(500);
  night.driver.provider = [](MemberId member, const std::string&) {
    return status(number(member) % 10 == 0 ? 404 : 200);
  };
  EXPECT_EQ(night.driver.run().code, ExitCode::look);
  EXPECT_EQ(night.campaign.count(RowState::failed), 50);
  EXPECT_EQ(night.campaign.count(RowState::sent), 450);
}

// Nobody can tell whose fault it is: a person looks, and nobody is failed.
// field case: F30
TEST(Worker, NotFoundForEveryoneOfAFewEndsTheRunAndTouchesNobody) {
  for (const std::int64_t members : {1, 5, 10}) {
    LoneWorker night(members);
    night.driver.provider = [](MemberId, const std::string&) { return status(404); };
    EXPECT_EQ(night.driver.run().code, ExitCode::refused);
    EXPECT_EQ(night.driver.sends().size(), static_cast<std::size_t>(members));
    expect_untouched(night.campaign);
  }
}

// An account that is suspended in the middle of the night.
// field case: F30
TEST(Worker, AForbiddenThatBeginsMidRunFailsNobody) {
  for (const int code : {403, 404, 302}) {
    LoneWorker night(1000);
    std::int64_t asked = 0;
    night.driver.provider = [&](MemberId, const std::string&) {
      return status(++asked > 500 ? code : 200);
    };
    EXPECT_EQ(night.driver.run().code, ExitCode::refused);
    EXPECT_EQ(night.campaign.count(RowState::sent), 500);
    EXPECT_EQ(night.campaign.count(RowState::failed), 0);
    EXPECT_EQ(night.campaign.attempts(), 0);
  }
}

// What is left when an outage begins can be too few to tell; five tries outlast an hour.
// field case: F05
TEST(Worker, AnOutageAtTheTailFailsNobody) {
  for (const std::int64_t left : {1, 3, 5, 15, 19, 20, 25, 60, 420}) {
    for (const auto lasts : {5min, 20min, 60min}) {
      SCOPED_TRACE(std::to_string(left) + " left, " + std::to_string(lasts / 1min) + " min");
      LoneWorker night(1000, without_deadline());
      std::optional<Instant> over;
      night.driver.provider = [&](MemberId, const std::string&) {
        if (!over &&
            night.campaign.count(RowState::sent) + std::ssize(night.driver.flying()) >= 1000 - left)
          over = night.driver.now() + lasts;
        return status(over && night.driver.now() < *over ? 503 : 200);
      };
      Exit exit = night.driver.run();
      EXPECT_EQ(night.campaign.count(RowState::failed), 0);
      EXPECT_EQ(night.campaign.count(RowState::sent), 1000) << exit.reason;
    }
  }
}

// field case: F28
TEST(Worker, TheRetryAfterOfAnOutageIsNotUndercut) {
  LoneWorker night(600, without_deadline());
  night.driver.latency = 100ms;
  std::optional<Instant> first;
  night.driver.provider = [&](MemberId, const std::string&) {
    if (!first) first = night.driver.now();
    SendAnswer answer = status(night.driver.now() < *first + 50min ? 503 : 200);
    if (answer.status == 503) answer.retry_after = 3600s;
    return answer;
  };
  night.start_until_asked<Pause>();
  EXPECT_EQ(std::get<Pause>(*night.driver.asked()).length, Duration(3600s));
  const std::size_t before = night.driver.sends().size();
  night.driver.run();
  ASSERT_GT(night.driver.sends().size(), before);
  EXPECT_GE(night.driver.sends()[before].started, *first + 3600s);
}

// Once only they are left, their answers look like an outage; they have failed in good weather.
TEST(Worker, ManyWhoAlwaysFailAreNoOutageForEver) {
  LoneWorker night(400, without_deadline());
  night.driver.provider = [](MemberId member, const std::string&) {
    return status(number(member) % 10 == 0 ? 503 : 200);
  };
  const Instant begin = night.driver.now();
  const Exit exit = night.driver.run();
  EXPECT_EQ(exit.code, ExitCode::look);
  EXPECT_EQ(exit.report.totals.remaining, 0);
  for (std::int64_t id = 1; id <= 400; ++id) {
    EXPECT_EQ(night.member(id).state, id % 10 == 0 ? RowState::failed : RowState::sent);
  }
  EXPECT_LT(night.driver.now() - begin, 150min);
}

// Members who fail three times each and nobody else is left: the same, and all are sent.
TEST(Worker, ManyWhoFailThreeTimesAreSentTheFourth) {
  LoneWorker night(400, without_deadline());
  std::map<MemberId, int> tries;
  night.driver.provider = [&tries](MemberId member, const std::string&) {
    return status(number(member) % 5 == 0 && ++tries[member] <= 3 ? 503 : 200);
  };
  const Instant begin = night.driver.now();
  const Exit exit = night.driver.run();
  EXPECT_EQ(exit.code, ExitCode::done);
  EXPECT_EQ(exit.report.totals.remaining, 0);
  EXPECT_LT(night.driver.now() - begin, 90min);
}

}  // namespace
}  // namespace core
