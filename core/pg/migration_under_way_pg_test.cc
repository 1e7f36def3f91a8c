// The migrations beside a campaign that is being sent, and after a run of theirs that broke off.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"
#include "harness/postgres/sql_script.h"

namespace core::pg {
namespace {

using testing::Campaign;
using testing::Database;
using testing::Session;

constexpr const char* migrations = SENDPROOF_ROOT "/deploy/migrations";

std::string migrate(const std::string& dsn) {
  const auto done = harness::postgres::run_sql_folder(migrations, dsn);
  return done ? "" : done.error();
}

// Claims and records without a pause until all is done, and remembers the longest gap.
class Sending {
 public:
  explicit Sending(Campaign& campaign)
      : store_(connect_with_pqxx({.dsn = campaign.database.dsn(), .statement_timeout = 10s}),
               Context{"spring", "provider", campaign.policy}) {
    PgStore::Opened opened;
    EXPECT_FALSE(store_.open({std::nullopt, 0}, opened));
    store_.execute(Plan{0});
    thread_ = std::jthread([this](const std::stop_token& stop) { send(stop); });
  }
  void wait_for_more() const {
    const std::int64_t before = recorded_;
    while (recorded_ < before + 20 && !ended_) std::this_thread::yield();
    EXPECT_FALSE(ended_);
  }
  Duration longest_gap() const { return Duration(longest_gap_us_); }

 private:
  void send(const std::stop_token& stop) {
    auto last = std::chrono::steady_clock::now();
    for (std::uint64_t n = 1; !stop.stop_requested(); ++n) {
      const Token token{9, n};
      const StoreReply reply = store_.execute(ClaimBatch{token});
      const auto* claimed = std::get_if<Claimed>(&reply.answer.result);
      if (reply.answer.status != StoreStatus::answered || !claimed->found) break;
      RecordBatch record;
      record.batch = claimed->batch;
      record.token = token;
      record.ends = true;
      for (const ClaimedMember& member : claimed->members) record.sent.push_back(member.id);
      if (store_.execute(record).answer.status != StoreStatus::answered) break;
      const auto now = std::chrono::steady_clock::now();
      const auto gap = std::chrono::duration_cast<Duration>(now - last).count();
      longest_gap_us_ = std::max<std::int64_t>(longest_gap_us_, gap);
      last = now;
      ++recorded_;
    }
    ended_ = true;
  }

  PgStore store_;
  std::atomic<std::int64_t> recorded_{0}, longest_gap_us_{0};
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

// A long report has read the table in a transaction that is still open: the migration gives up
// behind it after its lock_timeout of 2 s. So long at most everybody waits behind the migration.
// field case: F21
TEST(MigrationUnderWay, SendingGoesOn) {
  Campaign campaign;
  campaign.policy.batch = 1;
  campaign.database.add_members(1, 40'000);
  Sending sending(campaign);
  sending.wait_for_more();
  Session report(campaign.database.dsn());
  report.run("begin isolation level repeatable read");
  report.run("select count(*) from campaign_targets");
  EXPECT_NE(migrate(campaign.database.dsn()).find("lock timeout"), std::string::npos);
  sending.wait_for_more();
  report.run("commit");
  EXPECT_EQ(migrate(campaign.database.dsn()), "");
  sending.wait_for_more();
  EXPECT_LT(sending.longest_gap(), 5s);
}

// field case: F21
TEST(MigrationUnderWay, AnInvalidIndexIsBuiltAgain) {
  Database database;
  const auto is_valid = [&] {
    return database.sql().value(
        "select indisvalid from pg_index"
        " where indexrelid = 'ix_targets_retry'::regclass");
  };
  database.sql().run("drop index ix_targets_retry");
  Session report(database.dsn());
  report.run("begin isolation level repeatable read");
  report.run("select count(*) from campaign_targets");
  Session building(database.dsn());
  building.run("set lock_timeout = '50ms'");
  EXPECT_ANY_THROW(
      building.run("create index concurrently ix_targets_retry"
                   " on campaign_targets (campaign_id, not_before)"
                   " where not_before is not null"));
  EXPECT_EQ(is_valid(), "f");
  report.run("commit");
  EXPECT_EQ(migrate(database.dsn()), "");
  EXPECT_EQ(is_valid(), "t");
}

std::vector<std::string> statements_of_all_migrations() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(migrations)) files.push_back(file);
  std::ranges::sort(files);
  std::vector<std::string> statements;
  for (const auto& file : files) {
    const harness::postgres::SqlScript script = harness::postgres::read_sql_script(file).value();
    for (const auto& statement : script.statements) statements.push_back(statement.text);
  }
  return statements;
}

// A table of the row-claim generation, in a schema of its own; the migrations' first `done`
// statements, and then, begun anew, all of them. Returns: what came of it.
std::string migrated_after(Database& database, const std::vector<std::string>& statements,
                           std::size_t done) {
  const std::string schema = "after_" + std::to_string(done);
  database.sql().run("create schema " + schema);
  const std::string dsn = database.dsn() + " options='-c search_path=" + schema + "'";
  {
    Session session(dsn);
    session.run(
        "create table campaign_targets (campaign_id text, member_id bigint, email text,"
        " sent_at timestamptz, opted_out_at timestamptz, state text not null default"
        " 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),"
        " attempts int not null default 0, not_before timestamptz,"
        " lease_until timestamptz, claim_id uuid, primary key (campaign_id, member_id))");
    session.run(
        "create index ix_targets_work on campaign_targets (campaign_id, member_id)"
        " where state in ('pending', 'sending')");
    session.run(
        "insert into campaign_targets (campaign_id, member_id, email, sent_at, state)"
        " values ('spring', 1, 'a', now(), 'pending'), ('spring', 2, 'b', null, 'sending'),"
        " ('spring', 3, 'c', null, 'pending'), ('spring', 4, 'd', null, 'failed')");
    for (std::size_t i = 0; i < done; ++i) session.run(statements[i]);
  }
  std::string error = migrate(dsn);
  if (!error.empty()) return error;
  Session session(dsn);
  return session.value(
      "select (select string_agg(concat_ws(' ', member_id, state, sent_at is null, not_before is"
      " null, maybe_sent_since), '; ' order by member_id) from campaign_targets)"
      " || (select string_agg(conname || pg_get_constraintdef(oid) || convalidated, '; ' order by"
      " conname) from pg_constraint where connamespace = current_schema()::regnamespace)"
      " || (select string_agg(replace(indexdef, current_schema(), ''), '; ' order by indexname)"
      " from pg_indexes where schemaname = current_schema())"
      " || (select string_agg(table_name || '.' || column_name, '; ' order by table_name, "
      "column_name) from"
      " information_schema.columns where table_schema = current_schema())"
      " || (select string_agg(tgname, '; ' order by tgname) from pg_trigger where not tgisinternal"
      " and tgrelid in ('campaign_targets'::regclass, 'campaigns'::regclass))");
}

// field case: F21
TEST(MigrationUnderWay, ARunThatBrokeOffAfterAnyStatementIsMadeGoodByTheNext) {
  Database database(Database::Schema::none);
  const std::vector<std::string> statements = statements_of_all_migrations();
  ASSERT_GT(statements.size(), 30u);
  const std::string whole = migrated_after(database, statements, 0);
  EXPECT_NE(whole.find("2 pending t f 1970"), std::string::npos) << whole;
  for (std::size_t done = 1; done < statements.size(); ++done)
    EXPECT_TRUE(migrated_after(database, statements, done) == whole) << statements[done - 1];
}

}  // namespace
}  // namespace core::pg
