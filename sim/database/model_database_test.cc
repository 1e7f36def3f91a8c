// What READ COMMITTED does to two sessions, example by example. That PostgreSQL does the same is
// held by sim/pg.
#include "sim/database/model_database.h"

#include <gtest/gtest.h>

namespace sim {
namespace {

using namespace std::chrono_literals;
using core::BatchId;
using core::ClaimBatch;
using core::DbTime;
using core::MemberId;
using core::RecordBatch;
using core::StoreAnswer;
using core::StoreStatus;
using core::Token;

constexpr SessionId a = 1, b = 2, c = 3;
constexpr DbTime noon{std::chrono::hours(12)};

core::Policy batches_of_four() {
  core::Policy policy;
  policy.batch = 4;
  return policy;
}

ModelDatabase planned(std::int64_t members) {
  ModelDatabase database(batches_of_four(), members);
  database.execute(core::Plan{0}, noon);
  return database;
}

template <typename Result>
Result get(const std::optional<StoreAnswer>& answer) {
  return std::get<Result>(answer.value().result);
}

std::optional<std::int64_t> batch_of(const std::optional<StoreAnswer>& answer) {
  const auto claimed = get<core::Claimed>(answer);
  return claimed.found ? std::optional(core::number(claimed.batch)) : std::nullopt;
}

RecordBatch record_sent(const Token& token, std::vector<MemberId> sent) {
  RecordBatch record;
  record.batch = BatchId(1);
  record.token = token;
  record.sent = std::move(sent);
  return record;
}

TEST(ModelDatabase, AClaimSkipsALockedBatch) {
  ModelDatabase database = planned(8);
  EXPECT_EQ(batch_of(database.run(a, ClaimBatch{{1, 1}}, noon)), 1);
  EXPECT_EQ(batch_of(database.run(b, ClaimBatch{{2, 2}}, noon)), 2);
}

TEST(ModelDatabase, AClaimWithoutSkipLockedWaitsAndLooksAgain) {
  ModelDatabase database = planned(8);
  database.drop(Conjunct::claim_batch_skip_locked);
  database.run(a, ClaimBatch{{1, 1}}, noon);
  EXPECT_FALSE(database.run(b, ClaimBatch{{2, 2}}, noon));
  EXPECT_TRUE(database.waiting(b));
  database.commit(a);
  EXPECT_EQ(batch_of(database.woken(b)), 2);  // the first is leased when it looks again
  EXPECT_FALSE(database.woken(b));
}

TEST(ModelDatabase, ARollbackLeavesTheRowToWhoWaited) {
  ModelDatabase database = planned(8);
  database.drop(Conjunct::claim_batch_skip_locked);
  database.run(a, ClaimBatch{{1, 1}}, noon);
  EXPECT_FALSE(database.run(b, ClaimBatch{{2, 2}}, noon));
  database.rollback(a);
  EXPECT_EQ(batch_of(database.woken(b)), 1);
}

TEST(ModelDatabase, OthersSeeNothingBeforeTheCommit) {
  ModelDatabase database = planned(4);
  database.run(a, OptOut{MemberId(2)}, noon);
  EXPECT_FALSE(database.members()[1].opted_out_at);
  EXPECT_EQ(get<core::Claimed>(database.run(b, ClaimBatch{{1, 1}}, noon)).members.size(), 4u);
  EXPECT_EQ(get<core::Totals>(database.run(a, core::CountTotals{}, noon)).opted_out, 1);
  database.commit(a);
  EXPECT_EQ(
      get<core::Rechecked>(database.run(b, core::Recheck{{MemberId(1), MemberId(2)}, {}}, noon))
          .held_back,
      std::vector{MemberId(2)});
}

// The recheck reads the row that was waited for; the verdict reads the snapshot from before.
TEST(ModelDatabase, ARecordRepeatedWhileTheFirstCommitsIsCalledStale) {
  ModelDatabase database = planned(4);
  database.execute(ClaimBatch{{1, 1}}, noon);
  RecordBatch record = record_sent({1, 1}, {MemberId(1), MemberId(2), MemberId(3), MemberId(4)});
  record.ends = true;
  EXPECT_EQ(get<core::Recorded>(database.run(a, record, noon)).changed, 4);
  EXPECT_FALSE(database.run(b, record, noon));
  database.commit(a);
  EXPECT_EQ(get<core::Recorded>(database.woken(b)).verdict, core::RecordVerdict::stale);
  EXPECT_EQ(get<core::Recorded>(database.run(c, record, noon)).verdict,
            core::RecordVerdict::already);
}

TEST(ModelDatabase, WhoClosesACircleIsRolledBack) {
  ModelDatabase database = planned(4);
  database.run(a, OptOut{MemberId(1)}, noon);
  database.run(b, OptOut{MemberId(2)}, noon);
  EXPECT_FALSE(database.run(a, OptOut{MemberId(2)}, noon));
  const auto answer = database.run(b, OptOut{MemberId(1)}, noon);
  EXPECT_EQ(answer.value().status, StoreStatus::not_done);
  EXPECT_EQ(answer.value().error, "40P01");
  EXPECT_FALSE(database.open(b));
  EXPECT_EQ(database.woken(a).value().status, StoreStatus::answered);
  database.commit(a);
  EXPECT_EQ(database.members()[0].opted_out_at, noon);
  EXPECT_EQ(database.members()[1].opted_out_at, noon);
}

TEST(ModelDatabase, WhoWaitsIsServedInOrder) {
  ModelDatabase database = planned(4);
  database.run(a, core::Pause{10s}, noon);
  EXPECT_FALSE(database.run(c, core::Pause{30s}, noon));
  EXPECT_FALSE(database.run(b, core::Pause{20s}, noon));
  database.commit(a);
  EXPECT_EQ(get<core::Paused>(database.woken(c)).until, noon + 30s);
  EXPECT_TRUE(database.waiting(b));
  database.rollback(c);
  EXPECT_EQ(get<core::Paused>(database.woken(b)).until, noon + 20s);
}

TEST(ModelDatabase, ADisconnectOfAWaitingSessionFreesWhatItHeld) {
  ModelDatabase database = planned(4);
  database.run(a, OptOut{MemberId(1)}, noon);
  database.run(b, OptOut{MemberId(2)}, noon);
  EXPECT_FALSE(database.run(b, OptOut{MemberId(1)}, noon));
  EXPECT_FALSE(database.run(c, OptOut{MemberId(2)}, noon));
  database.rollback(b);
  EXPECT_TRUE(database.woken(c));
  EXPECT_FALSE(database.open(b));
}

TEST(ModelDatabase, BatchesFollowPriorityThenMember) {
  ModelDatabase database(batches_of_four(), 6);
  database.set_priorities(std::vector{1, 0, 1, 0, 1, 0});
  database.execute(core::Plan{0}, noon);
  const auto first = get<core::Claimed>(database.execute(ClaimBatch{{1, 1}}, noon));
  std::vector<std::int64_t> ids;
  for (const auto& member : first.members) ids.push_back(core::number(member.id));
  EXPECT_EQ(ids, (std::vector<std::int64_t>{2, 4, 6}));
}

TEST(ModelDatabase, WhoIsAddedLateFindsItsPlace) {
  ModelDatabase database(batches_of_four(), 2);
  for (const int priority : {1, 0, -1}) database.execute(AddMember{priority}, noon);
  database.execute(core::Plan{0}, noon);
  ASSERT_EQ(database.batches().size(), 3u);
  EXPECT_EQ(database.batches()[0].first, MemberId(5));
  EXPECT_EQ(database.batches()[1].last, MemberId(4));
  EXPECT_EQ(database.batches()[2].first, MemberId(3));
  const auto all = get<core::Claimed>(database.execute(ClaimBatch{{1, 1}}, noon));
  EXPECT_EQ(all.members.size(), 1u);
}

TEST(ModelDatabase, ChangesAreThoseOfTheLastStatement) {
  ModelDatabase database = planned(4);
  database.execute(ClaimBatch{{1, 1}}, noon);
  ASSERT_EQ(database.changes().batches.size(), 1u);
  EXPECT_EQ(database.changes().batches[0].before.state, BatchRow::State::open);
  database.execute(record_sent({1, 1}, {MemberId(3)}), noon);
  ASSERT_EQ(database.changes().members.size(), 1u);
  EXPECT_EQ(database.changes().members[0].before.state, core::RowState::pending);
  EXPECT_EQ(database.changes().members[0].after, database.members()[2]);
  database.execute(core::CountTotals{}, noon);
  EXPECT_TRUE(database.changes().empty());
}

TEST(ModelDatabase, AConstraintRefusesWhatTheSchemaRefuses) {
  ModelDatabase database = planned(4);
  database.drop(Conjunct::claim_batch_set_token);
  const StoreAnswer answer = database.execute(ClaimBatch{{1, 1}}, noon);
  EXPECT_EQ(answer.status, StoreStatus::refused);
  EXPECT_EQ(answer.error, "23514");
  EXPECT_EQ(database.batches()[0].state, BatchRow::State::open);
}

TEST(Conjunct, NamesAreParsedBack) {
  for (std::size_t i = 0; i < conjunct_count; ++i) {
    const auto part = static_cast<Conjunct>(i);
    EXPECT_EQ(parse_conjunct(conjunct_name(part)), part);
  }
  EXPECT_EQ(conjunct_name(Conjunct::record_batch_token), "record_batch.token");
  EXPECT_EQ(parse_conjunct("record_batch.tokens"), std::nullopt);
}

}  // namespace
}  // namespace sim
