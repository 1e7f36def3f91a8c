#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "harness/audit.h"
#include "harness/database/campaign_database.h"
#include "harness/postgres/server.h"

namespace harness {
namespace {

class AuditTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = postgres::Server::start(postgres::options_from_environment());
    ASSERT_TRUE(started.has_value()) << started.error();
    server_ = std::make_unique<postgres::Server>(std::move(*started));
  }
  void TearDown() override { std::filesystem::remove(ledger_); }

  std::expected<AuditResult, RunError> audit_of(const std::string& dsn, std::string_view ledger,
                                                const std::string& campaign = "spring") {
    std::ofstream(ledger_) << ledger;
    return audit({.dsn = dsn, .campaign = campaign, .ledger = ledger_});
  }

  std::unique_ptr<postgres::Server> server_;
  const std::filesystem::path ledger_ =
      std::filesystem::temp_directory_path() / fmt::format("audit_pg_test.{}.csv", ::getpid());
};

TEST_F(AuditTest, ReadsTheTableAndTheLedger) {
  auto database = CampaignDatabase::create(server_->dsn(), "spring");
  ASSERT_TRUE(database.has_value());
  ASSERT_TRUE(database->make_table().has_value());
  ASSERT_TRUE(database->load(4).has_value());
  const auto opted_out_us = database->opt_out(4);
  ASSERT_TRUE(opted_out_us.has_value());
  const auto result =
      audit_of(database->dsn(),
               fmt::format("arrival_us,recipient\n{0},1\n{0},member2@example.org\n{0},2\n{0},4\n",
                           **opted_out_us + 500'000));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->members, 4);
  ASSERT_EQ(result->more_than_one.count, 1);
  EXPECT_EQ(result->more_than_one.first[0].member, 2);
  ASSERT_EQ(result->none.count, 1);
  EXPECT_EQ(result->none.first[0].member, 3);
  ASSERT_EQ(result->after_opt_out.count, 1);
  EXPECT_EQ(result->after_opt_out.first[0].member, 4);

  const auto bad = audit_of(database->dsn(), "arrival_us,recipient\n1,1\nsoon,2\n");
  ASSERT_FALSE(bad.has_value());
  EXPECT_TRUE(bad.error().message.starts_with(ledger_.string() + ":3: arrival_us `soon`"));
  const auto in_ms = audit_of(database->dsn(), "arrival_us,recipient\n1796092746000,1\n");
  ASSERT_FALSE(in_ms.has_value());
  EXPECT_NE(in_ms.error().message.find("give microseconds since 1970"), std::string::npos);
  const auto accepted = audit_of(database->dsn(), "recipient,status\n1,200\n2,202\n");
  ASSERT_FALSE(accepted.has_value());
  EXPECT_NE(accepted.error().message.find(":3: status 202: only 200 is a mail"), std::string::npos);
  const auto empty = audit_of(database->dsn(), "recipient\n", "summer");
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().message,
            "campaign summer has no members in campaign_targets: name another");
}

TEST_F(AuditTest, ADatabaseWithoutTheTableIsRefused) {
  const auto result = audit_of(server_->dsn(), "recipient\n");
  ASSERT_FALSE(result.has_value());
  EXPECT_TRUE(result.error().message.starts_with("campaign_targets can't be read: "))
      << result.error().message;
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace harness
