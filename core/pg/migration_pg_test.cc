// The migration on tables that were in use before: plain, and of the row-claim generation.
#include <gtest/gtest.h>

#include "core/pg/testing/database.h"
#include "harness/postgres/sql_script.h"

namespace core::pg {
namespace {

using testing::Database;

// What the row-claim generation adds, and its claims.
constexpr const char* row_claims =
    "alter table campaign_targets add opted_out_at timestamptz,"
    " add state text not null default 'pending' check (state in ('pending', 'sending', 'sent', "
    "'failed')),"
    " add attempts int not null default 0, add not_before timestamptz, add lease_until timestamptz,"
    " add claim_id uuid";

std::string migrate(const Database& database) {
  const auto done =
      harness::postgres::run_sql_folder(SENDPROOF_ROOT "/deploy/migrations", database.dsn());
  return done ? "" : done.error();
}

void add(Database& database, const std::string& id, const std::string& columns,
         const std::string& values) {
  database.sql().run("insert into campaign_targets (campaign_id, member_id, email, " + columns +
                     ") values ('spring', " + id + ", 'm@example.org', " + values + ")");
}

TEST(Migration, RunsAgainWithoutChange) {
  Database database(Database::Schema::plain);
  add(database, "1", "sent_at", "now()");
  ASSERT_EQ(migrate(database), "");
  const std::string rows = "select string_agg(t::text, e'\\n') from campaign_targets t";
  const std::string before = database.sql().value(rows);
  ASSERT_EQ(migrate(database), "");
  EXPECT_EQ(database.sql().value(rows), before);
  EXPECT_EQ(database.sql().value("select state from campaign_targets"), "sent");
}

// The window and the last date come to a campaign that is being sent, and it goes on.
TEST(Migration, OfTheHoursRunsBesideASender) {
  Database database;
  database.add_members(1, 3);
  database.sql().run(
      "alter table campaigns drop column window_open, drop column window_close,"
      " drop column window_zone, drop column not_after, drop column hours_version");
  database.sql().run("insert into campaigns (campaign_id, template) values ('spring', 'spring')");
  ASSERT_EQ(migrate(database), "");
  const auto store = database.store(Policy());
  EXPECT_EQ(store->execute(Plan{0}).answer.status, StoreStatus::answered);
  ASSERT_EQ(migrate(database), "");
  EXPECT_EQ(store->execute(ClaimBatch{{1, 1}}).answer.status, StoreStatus::answered);
  EXPECT_EQ(database.sql().value("select count(*) from pg_constraint where conname ="
                                 " 'campaigns_ck_window'"),
            "1");
}

TEST(Migration, StopsWhileARowClaimIsAlive) {
  Database database(Database::Schema::plain);
  database.sql().run(row_claims);
  add(database, "1", "state, lease_until", "'sending', now() + interval '1 min'");
  EXPECT_NE(migrate(database).find("1 rows are leased by a row-claim sender"), std::string::npos);
  EXPECT_EQ(database.sql().value("select state from campaign_targets"), "sending");
  EXPECT_EQ(database.sql().value("select to_regclass('campaign_batches') is null"), "t");
}

// A doubt as young as the migration would be sent again under a key that the provider has
// forgotten.
TEST(Migration, KeepsTheAgeOfADoubt) {
  Database database(Database::Schema::plain);
  database.sql().run(row_claims);
  add(database, "1", "state, lease_until", "'sending', now() - interval '20 h'");
  add(database, "2", "state", "'sending'");  // of no known age
  ASSERT_EQ(migrate(database), "");
  EXPECT_EQ(database.sql().value("select count(*) from campaign_targets where state = 'pending'"
                                 " and not_before is not null"),
            "2");
  EXPECT_EQ(
      database.sql().value("select now() - maybe_sent_since between interval '20 h 90 s' and"
                           " interval '20 h 10 min' from campaign_targets where member_id = 1"),
      "t");
  EXPECT_EQ(database.sql().value("select maybe_sent_since = timestamptz 'epoch' from "
                                 "campaign_targets where member_id = 2"),
            "t");
}

TEST(Migration, LeavesChecksOfOtherColumnsAlone) {
  Database database(Database::Schema::plain);
  database.sql().run(row_claims);
  database.sql().run(
      "alter table campaign_targets add prefecture_state text default 'Kyoto'"
      " constraint named_state check (prefecture_state <> '')");
  ASSERT_EQ(migrate(database), "");
  EXPECT_EQ(
      database.sql().value("select count(*) from pg_constraint where conname = 'named_state'"),
      "1");
}

}  // namespace
}  // namespace core::pg
