// What a mail costs the database hangs on things that a change of a statement or of the schema can
// undo without any other test noticing.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/pg/codec.h"
#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;

struct Statements {
  explicit Statements(Campaign& the_campaign)
      : campaign(the_campaign),
        context{"spring", "provider", campaign.policy},
        transport(connect_with_pqxx({campaign.database.dsn(), Duration(0), false, "cost"})) {
    campaign.start_over(members);
    campaign.sender();  // makes the campaign's and the provider's rows
    answered(Plan{0});
    campaign.sql().run("vacuum analyze campaign_targets, campaign_batches");
  }
  StoreReply answered(const StoreCommand& command) {
    const Call call = encode(command, context);
    const Result result = transport->execute(call.statement, call.params);
    EXPECT_EQ(result.error, "");
    return decode(command, result.rows);
  }
  std::int64_t number(const std::string& sql) {
    return std::stoll(transport->execute({"look", sql}, {}).rows.at(0)[0].value());
  }
  void claim_and_record() {
    const Token token{1, ++claims};
    const auto claimed = std::get<Claimed>(answered(ClaimBatch{token}).answer.result);
    ASSERT_EQ(std::ssize(claimed.members), campaign.policy.batch);
    RecordBatch record;
    record.batch = claimed.batch;
    record.token = token;
    record.ends = true;
    for (const ClaimedMember& member : claimed.members) record.sent.push_back(member.id);
    answered(record);
  }

  static constexpr std::int64_t members = 6000;
  Campaign& campaign;
  Context context;
  std::unique_ptr<Transport> transport;
  std::uint64_t claims = 0;
};

// PostgreSQL plans a prepared statement anew each time (1 ms) while that looks cheaper to it than
// one plan for all parameters; it looks five times at least.
TEST(StatementCost, ClaimsAndRecordsArePlannedOnce) {
  Campaign campaign;
  Statements statements(campaign);
  for (int i = 0; i < 20; ++i) statements.claim_and_record();
  EXPECT_EQ(statements.number("select max(custom_plans) from pg_prepared_statements"
                              " where name in ('claim_batch', 'record_batch')"),
            5);
}

// A record logs one change a row. A row trigger before update, or an index on a column that record
// changes, would add to that.
TEST(StatementCost, ARecordIsHotAndLogsOneChangeARow) {
  Campaign campaign;
  Statements statements(campaign);
  const Token token{1, 1};
  const auto claimed = std::get<Claimed>(statements.answered(ClaimBatch{token}).answer.result);
  RecordBatch record;
  record.batch = claimed.batch;
  record.token = token;
  for (const ClaimedMember& member : claimed.members) record.sent.push_back(member.id);
  const Call call = encode(record, statements.context);
  const std::string explained = "explain (analyze, wal) " + std::string(call.statement.sql);
  const Result plan = statements.transport->execute({"explained", explained}, call.params);
  ASSERT_EQ(plan.error, "");
  std::int64_t logged = 0;
  for (const Row& row : plan.rows) {
    const std::string& line = row[0].value();
    const auto at = line.find("WAL: records=");
    if (at != std::string::npos)
      logged = std::max<std::int64_t>(logged, std::stoll(line.substr(at + 13)));
  }
  const auto members = std::ssize(record.sent);
  EXPECT_GE(logged, members);
  EXPECT_LE(logged, members + members / 10);
}

}  // namespace
}  // namespace core::pg
