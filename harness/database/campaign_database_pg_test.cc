#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>

#include "harness/database/campaign_database.h"
#include "harness/postgres/server.h"

namespace harness {
namespace {

class CampaignDatabaseTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = postgres::Server::start(postgres::options_from_environment());
    ASSERT_TRUE(started.has_value()) << started.error();
    server_ = std::make_unique<postgres::Server>(std::move(*started));
  }
  static void TearDownTestSuite() { server_.reset(); }

  static CampaignDatabase fresh(std::int64_t members) {
    auto database = CampaignDatabase::create(server_->dsn(), "spring");
    if (!database) throw std::runtime_error(database.error());
    if (auto done = database->make_table(); !done) throw std::runtime_error(done.error());
    if (auto done = database->load(members); !done) throw std::runtime_error(done.error());
    return std::move(*database);
  }
  static void run(const CampaignDatabase& database, std::string_view sql) {
    auto connection = Database::open(database.dsn());
    ASSERT_TRUE(connection.has_value());
    const auto done = connection->query(sql);
    ASSERT_TRUE(done.has_value()) << done.error();
  }

  static inline std::unique_ptr<postgres::Server> server_;
};

// A stop must not wait for a load of millions, or for somebody's --setup file; and it ends nobody
// else's session on the server.
TEST_F(CampaignDatabaseTest, AFileThatTakesLongCanBeCut) {
  CampaignDatabase database = fresh(1);
  auto bystander = Database::open(server_->dsn());
  ASSERT_TRUE(bystander.has_value());
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("long.{}.sql", ::getpid());
  std::ofstream(file) << "select pg_sleep(600);";
  auto waiting = std::async(std::launch::async, [&] { return database.run_file(file); });
  while (waiting.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
    cut_run_sessions(server_->dsn());
  EXPECT_FALSE(waiting.get().has_value());
  EXPECT_TRUE(bystander->query("select 1").has_value());
  std::filesystem::remove(file);
}

TEST_F(CampaignDatabaseTest, HoldsThePlainTable) {
  CampaignDatabase database = fresh(120'000);  // more than a page of the reader
  const auto audience = database.audience();
  ASSERT_TRUE(audience.has_value()) << audience.error();
  ASSERT_EQ(audience->members().size(), 120'000U);
  EXPECT_EQ(audience->members().back().id, 120'000);
  EXPECT_EQ(audience->members().back().truth, Truth::open);
  EXPECT_EQ(audience->find("member777@example.org"), 776U);
  EXPECT_EQ(audience->find("777"), 776U);
  EXPECT_FALSE(audience->find("120001").has_value());
}

TEST_F(CampaignDatabaseTest, ReadsTablesThatKeepStatesAndThoseWithoutOptOuts) {
  CampaignDatabase states = fresh(2);
  run(states, "alter table campaign_targets add column state text not null default 'failed'");
  EXPECT_EQ(states.audience()->members()[1].truth, Truth::failed);
  CampaignDatabase bare = fresh(2);
  run(bare, "alter table campaign_targets drop column opted_out_at");
  const auto audience = bare.audience();
  ASSERT_TRUE(audience.has_value()) << audience.error();
  EXPECT_FALSE(audience->members()[0].opted_out_us.has_value());
}

TEST_F(CampaignDatabaseTest, AnOptOutIsCommittedWhenItReturns) {
  CampaignDatabase database = fresh(3);
  const auto opted_out = database.opt_out(2);
  ASSERT_TRUE(opted_out.has_value()) << opted_out.error();
  const std::optional<std::int64_t> commit_us = *opted_out;
  ASSERT_TRUE(commit_us.has_value());
  EXPECT_EQ(database.opt_out(2), std::nullopt) << "the first one stands";
  EXPECT_EQ(database.opt_out(4), std::nullopt) << "no member";
  const auto audience = database.audience();
  ASSERT_TRUE(audience->members()[1].opted_out_us.has_value());
  EXPECT_LE(*audience->members()[1].opted_out_us, *commit_us);
  EXPECT_GT(*audience->members()[1].opted_out_us, *commit_us - 5'000'000);
  EXPECT_FALSE(audience->members()[0].opted_out_us.has_value());
}

TEST_F(CampaignDatabaseTest, ShiftsAnUnqualifiedNow) {
  CampaignDatabase database = fresh(1);
  ASSERT_TRUE(database.shift_now().has_value());
  auto sender = Database::open(database.dsn());
  ASSERT_TRUE(sender.has_value());
  const auto hours_ahead = [&] {
    return sender->value("select round(extract(epoch from now() - clock_timestamp()) / 3600)");
  };
  EXPECT_EQ(hours_ahead(), "0");
  ASSERT_TRUE(database.skip(std::chrono::hours(5)).has_value());
  EXPECT_EQ(hours_ahead(), "5") << "the session that was open before sees it too";
  ASSERT_TRUE(database.skip(std::chrono::hours(2)).has_value());
  EXPECT_EQ(hours_ahead(), "7") << "jumps add up";
}

TEST_F(CampaignDatabaseTest, SeesStatementsAndOpenTransactionsOfOthers) {
  CampaignDatabase database = fresh(1);
  EXPECT_EQ(database.busy_sessions(), 0);
  auto sender = Database::open(database.dsn());
  EXPECT_EQ(database.busy_sessions(), 0) << "an idle session is not busy";
  ASSERT_TRUE(sender->query("begin; lock table campaign_targets").has_value());
  EXPECT_EQ(database.busy_sessions(), 1);
}

TEST_F(CampaignDatabaseTest, RunsAScriptAndNamesItsLine) {
  CampaignDatabase database = fresh(1);
  const auto file = std::filesystem::temp_directory_path() / "campaign_database_pg_test.sql";
  std::ofstream(file) << "create table extra (x int);\nselect nonsense;\n";
  const auto done = database.run_file(file);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().find("campaign_database_pg_test.sql:2"), std::string::npos)
      << done.error();
  std::filesystem::remove(file);
}

TEST_F(CampaignDatabaseTest, IsDroppedWithItsObjectAndAbandonedOnesWithTheNext) {
  const auto names = [&] {
    auto server = Database::open(server_->dsn());
    // Others' runs may share the server.
    return *server->value(
        fmt::format("select count(*) from pg_database where datname like 'sendproof\\_run\\_{}\\_%'"
                    " or datname = 'sendproof_run_of_the_dead'",
                    ::getpid()));
  };
  {
    const CampaignDatabase database = fresh(1);
    EXPECT_EQ(names(), "1");
  }
  EXPECT_EQ(names(), "0");
  auto server = Database::open(server_->dsn());
  ASSERT_TRUE(server->query("create database sendproof_run_of_the_dead").has_value());
  const CampaignDatabase one = fresh(1);
  EXPECT_EQ(names(), "1");
  const CampaignDatabase two = fresh(1);
  EXPECT_EQ(names(), "2") << "a live run's database is left alone";
}

}  // namespace
}  // namespace harness
