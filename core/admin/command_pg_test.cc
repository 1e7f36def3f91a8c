// What a person asks and decides, on PostgreSQL, beside senders that run.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "core/admin/command.h"
#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::admin {
namespace {

using core::testing::status;
using pg::testing::Campaign;

class Command : public ::testing::Test {
 protected:
  Command() {
    campaign_.policy.deadline = std::chrono::hours(6);  // a last try may be an hour off
    variables_ = {
        {"DB_DSN", campaign_.database.dsn()}, {"CAMPAIGN_ID", "spring"}, {"PROVIDER", "provider"}};
    pg::PgStore::Opened opened;
    campaign_.database.add_members(1, 10);
    EXPECT_FALSE(campaign_.database.store(campaign_.policy)->open({}, opened));
  }

  // Returns: the exit code.
  int run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    return run_command(
        arguments,
        [&](const std::string& name) -> std::optional<std::string> {
          const auto found = variables_.find(name);
          if (found == variables_.end()) return std::nullopt;
          return found->second;
        },
        [](const std::string& dsn) {
          pg::ConnectionSettings settings;
          settings.dsn = dsn;
          return pg::connect_with_pqxx(settings);
        },
        out_, err_);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& says) {
    EXPECT_EQ(run(arguments), 3) << out_.str();
    EXPECT_TRUE(err_.str().contains(says)) << err_.str();
    EXPECT_EQ(std::ranges::count(err_.str(), '\n'), 1) << err_.str();
  }
  // Two members are unknown: their answers were lost for good.
  void make_two_unknown() {
    auto sender = campaign_.lone_sender();
    sender->driver.provider = [](MemberId member, const std::string&) {
      return number(member) % 5 == 0 ? core::testing::failed(Transport::in_doubt) : status(200);
    };
    EXPECT_EQ(sender->driver.run().code, ExitCode::look);
    ASSERT_EQ(campaign_.states(), "8 sent, 2 unknown");
  }

  Campaign campaign_;
  std::map<std::string, std::string> variables_;
  std::ostringstream out_, err_;
};

TEST_F(Command, StatusCountsEverybodyOnce) {
  make_two_unknown();
  campaign_.database.add_members(11, 14);
  campaign_.sql().run("update campaign_targets set opted_out_at = now() where member_id = 12");
  campaign_.sql().run("update campaign_targets set not_before = now() where member_id = 13");
  ASSERT_EQ(run({"status"}), 0) << err_.str();
  for (const char* line :
       {"  members                 14\n", "  sent                     8  57.1 %\n",
        "  unknown                  2  no answer 2\n", "  opted out                1\n",
        "  waiting                  2\n", "  retrying                 1  the next is due "})
    EXPECT_TRUE(out_.str().contains(line)) << line << out_.str();
  ASSERT_EQ(run({"status", "--json"}), 0);
  EXPECT_TRUE(out_.str().contains("\"unknown\": 2")) << out_.str();
}

TEST_F(Command, StatusKnowsWhoIsInFlight) {
  campaign_.database.add_members(11, 300);
  auto sender = campaign_.sender();
  sender->driver.start();
  sender->driver.run_until([&] { return !sender->driver.held().empty(); });
  ASSERT_EQ(run({"status"}), 0);
  EXPECT_TRUE(out_.str().contains("  in flight              200  ")) << out_.str();
  campaign_.database.pass(campaign_.policy.lease + std::chrono::seconds(1));
  ASSERT_EQ(run({"status"}), 0);
  EXPECT_TRUE(out_.str().contains("  ended leases             1  ")) << out_.str();
}

// field case: F19
TEST_F(Command, StatusNamesTheOldestSnapshot) {
  pg::testing::Session reader(campaign_.database.dsn());
  reader.run("begin isolation level repeatable read");
  const std::string process = reader.value("select pg_backend_pid()");
  ASSERT_EQ(run({"status"}), 0) << err_.str();
  EXPECT_TRUE(out_.str().contains("  oldest snapshot: ")) << out_.str();
  EXPECT_TRUE(out_.str().contains("(process " + process + "); it holds back vacuum\n"))
      << out_.str();
}

TEST_F(Command, APausedCampaignStopsItsSenderBeforeTheNextRequest) {
  auto sender = campaign_.lone_sender();
  sender->driver.provider = [](MemberId, const std::string&) { return status(200); };
  sender->driver.start();
  sender->driver.run_until([&] { return !sender->driver.held().empty(); });
  ASSERT_EQ(run({"pause"}), 0) << err_.str();
  EXPECT_EQ(sender->driver.run().code, ExitCode::work_remains);
  EXPECT_EQ(campaign_.states(), "10 pending");
  ASSERT_EQ(run({"pause"}), 0);
  EXPECT_TRUE(out_.str().contains("was paused already")) << out_.str();
  ASSERT_EQ(run({"resume"}), 0);
  auto next = campaign_.lone_sender(2);
  next->driver.provider = [](MemberId, const std::string&) { return status(200); };
  EXPECT_EQ(next->driver.run().code, ExitCode::done);
  EXPECT_EQ(campaign_.states(), "10 sent");
}

TEST_F(Command, ACancelledCampaignStaysSo) {
  expect_refused({"cancel"}, "--yes");
  ASSERT_EQ(run({"cancel", "--yes"}), 0) << err_.str();
  expect_refused({"resume"}, "is cancelled, and stays so");
  EXPECT_EQ(campaign_.lone_sender()->driver.run().code, ExitCode::work_remains);
  EXPECT_EQ(campaign_.states(), "10 pending");
  ASSERT_EQ(run({"status"}), 0);
  EXPECT_TRUE(out_.str().contains(": cancelled, as of")) << out_.str();
}

// field case: F06
TEST_F(Command, UnknownMembersAreListedWithTheEvidence) {
  ASSERT_EQ(run({"unknown"}), 0) << err_.str();
  EXPECT_EQ(out_.str(), "nobody is unknown\n");
  make_two_unknown();
  ASSERT_EQ(run({"unknown"}), 0) << err_.str();
  EXPECT_TRUE(out_.str().contains("no answer")) << out_.str();
  EXPECT_TRUE(out_.str().contains("m10@")) << out_.str();
  ASSERT_EQ(run({"unknown", "--limit", "1"}), 0);
  EXPECT_TRUE(out_.str().contains("... and 1 more; --limit 2 lists all\n")) << out_.str();
}

TEST_F(Command, WhoWasDeliveredIsSentAndNeverAskedForAgain) {
  make_two_unknown();
  ASSERT_EQ(run({"resolve", "delivered", "5", "--by", "ops", "--note", "seen in the log"}), 0)
      << err_.str();
  EXPECT_EQ(campaign_.states(), "9 sent, 1 unknown");
  EXPECT_EQ(campaign_.sql().value("select resolution || ' ' || decided_by || ' ' || note"
                                  " from campaign_resolutions where member_id = 5"),
            "delivered ops seen in the log");
  auto next = campaign_.lone_sender(2);
  next->driver.run();
  EXPECT_TRUE(next->driver.sends().empty());
}

// field case: F06
TEST_F(Command, WhoIsToBeSentAgainIsSentOnce) {
  make_two_unknown();
  ASSERT_EQ(run({"resolve", "send-again", "--all", "--by", "ops"}), 0) << err_.str();
  EXPECT_EQ(out_.str(), "2 members are due again, for the next sender that is started\n");
  auto next = campaign_.lone_sender(2);
  next->driver.provider = [](MemberId, const std::string&) { return status(200); };
  EXPECT_EQ(next->driver.run().code, ExitCode::done);
  EXPECT_EQ(next->driver.sends().size(), 2U);
  EXPECT_EQ(campaign_.states(), "10 sent");
}

TEST_F(Command, WhoIsNotUnknownStaysAsHeIs) {
  make_two_unknown();
  expect_refused({"resolve", "send-again", "1", "--by", "ops"}, "member 1 is not unknown");
  expect_refused({"resolve", "delivered", "77", "5", "--by", "ops"}, "member 77 is not unknown");
  EXPECT_EQ(campaign_.states(), "9 sent, 1 unknown");
}

TEST_F(Command, ALimitIsChangedForAll) {
  ASSERT_EQ(run({"limit", "5/min"}), 0) << err_.str();
  EXPECT_EQ(campaign_.sql().value("select interval_us from provider_rate"), "12000000");
  ASSERT_EQ(run({"limit", "100/s"}), 0);
  EXPECT_TRUE(out_.str().contains("100/s for all workers from now on, was 5/min")) << out_.str();
}

TEST_F(Command, ALimitWhereThereWasNoneAsksForARestart) {
  campaign_.sql().run("update provider_rate set interval_us = 0");
  ASSERT_EQ(run({"limit", "100/s"}), 0);
  EXPECT_TRUE(out_.str().contains("they see it when started again")) << out_.str();
  ASSERT_EQ(run({"limit", "50/s"}), 0);
  EXPECT_FALSE(out_.str().contains("they see it when started again")) << out_.str();
}

// field case: F39
TEST_F(Command, AFasterLimitDoesNotWaitForTheSlotsOfASlowOne) {
  campaign_.sql().run(
      "update provider_rate set interval_us = 3600000000,"
      " tat = campaign_clock() + interval '1 hour'");
  ASSERT_EQ(run({"limit", "100/s"}), 0);
  EXPECT_EQ(campaign_.sql().value(
                "select tat <= campaign_clock() + interval '10 milliseconds' from provider_rate"),
            "t");
}

TEST_F(Command, AWindowIsSetAndItsSenderEndsBeforeTheNextRequest) {
  auto sender = campaign_.lone_sender();
  sender->driver.provider = [](MemberId, const std::string&) { return status(200); };
  sender->driver.start();
  sender->driver.run_until([&] { return !sender->driver.held().empty(); });
  ASSERT_EQ(run({"window", "22:00-06:00", "Asia/Tokyo"}), 0) << err_.str();
  EXPECT_TRUE(out_.str().starts_with(
      "campaign spring is sent 22:00-06:00 Asia/Tokyo, was at any time: running senders end"))
      << out_.str();
  EXPECT_EQ(sender->driver.run().code, ExitCode::work_remains);
  EXPECT_EQ(campaign_.states(), "10 pending");
  ASSERT_EQ(run({"window", "22:00-06:00", "Asia/Tokyo"}), 0);
  EXPECT_TRUE(out_.str().contains(" already\n")) << out_.str();
  EXPECT_EQ(campaign_.sql().value("select hours_version from campaigns"), "1");
  ASSERT_EQ(run({"status"}), 0);
  EXPECT_TRUE(out_.str().contains("  window: 22:00-06:00 Asia/Tokyo, ")) << out_.str();
  ASSERT_EQ(run({"window", "none"}), 0);
  EXPECT_EQ(campaign_.sql().value("select num_nulls(window_open, window_close, window_zone)"
                                  " from campaigns"),
            "3");
}

TEST_F(Command, ALastDateIsSetAndTakenBack) {
  ASSERT_EQ(run({"not-after", "2026-12-24T06:00+09:00"}), 0) << err_.str();
  EXPECT_TRUE(out_.str().contains(" until 2026-12-23T21:00:00Z, was without a last date"))
      << out_.str();
  EXPECT_EQ(campaign_.sql().value("select not_after = '2026-12-23 21:00Z' from campaigns"), "t");
  ASSERT_EQ(run({"status"}), 0);
  EXPECT_TRUE(out_.str().contains("  nobody is mailed after 2026-12-23T21:00:00Z\n")) << out_.str();
  ASSERT_EQ(run({"not-after", "none"}), 0);
  EXPECT_EQ(campaign_.sql().value("select not_after is null from campaigns"), "t");
}

TEST_F(Command, IsRefusedInOneLine) {
  expect_refused({"window", "22-6", "Asia/Tokyo"}, "window 22-6 Asia/Tokyo: must be two different");
  expect_refused({"window", "22:00-06:00", "Tokyo"}, "no zone is named \"Tokyo\"");
  expect_refused({"window", "22:00-06:00"}, "window 22:00-06:00 : must be");
  expect_refused({"not-after", "2026-12-24"}, "not-after 2026-12-24: must be a date, a time");
  expect_refused({"limit", "fast"}, "limit fast: must be a whole number");
  expect_refused({"resolve", "maybe", "1", "--by", "ops"}, "maybe");
  expect_refused({"resolve", "delivered", "--by", "ops"}, "name members, or say --all");
  expect_refused({"resolve", "delivered", "1"}, "--by");
  expect_refused({"status", "--jsn"}, "--jsn");
  variables_["PROVIDER"] = "nobody";
  expect_refused({"limit", "5/s"}, "provider_rate has no row \"nobody\"");
  variables_["CAMPAIGN_ID"] = "autumn";
  expect_refused({"status"}, "CAMPAIGN_ID=autumn");
  expect_refused({"pause"}, "has not begun");
  expect_refused({"window", "none"}, "has not begun");
  expect_refused({"not-after", "none"}, "has not begun");
  variables_.erase("DB_DSN");
  expect_refused({"status"}, "DB_DSN is not set");
}

TEST_F(Command, AnAwayDatabaseIsExit1) {
  variables_["DB_DSN"] = "host=127.0.0.1 port=1 dbname=x connect_timeout=2";
  EXPECT_EQ(run({"status"}), 1);
  EXPECT_TRUE(err_.str().starts_with("campaign_sender: DB_DSN: the database is away"))
      << err_.str();
}

}  // namespace
}  // namespace core::admin
