#include "core/pg/codec.h"

#include <gtest/gtest.h>

namespace core::pg {
namespace {

constexpr std::int64_t beyond_double = 9'007'199'254'740'993;  // 2^53 + 1
constexpr std::int64_t largest = 9'223'372'036'854'775'807;    // 2^63 - 1
constexpr DbTime noon{Duration(1'792'065'600'000'000)};
constexpr Token token{0x0123456789abcdefu, 0xfedcba9876543210u};
constexpr const char* token_text = "01234567-89ab-cdef-fedc-ba9876543210";

using Params = std::vector<std::string>;

const Context context{"spring", "https://mail:443", Policy{}};

Params params_of(const StoreCommand& command) {
  return encode(command, context).params;
}

// field case: F26
TEST(Codec, BigIdsAreExactBothWays) {
  EXPECT_EQ(array_of({MemberId(beyond_double), MemberId(largest), MemberId(-largest - 1)}),
            "{9007199254740993,9223372036854775807,-9223372036854775808}");
  const Rechecked checked = std::get<Rechecked>(
      decode(Recheck{},
             {{"1", "0", "f", "{9007199254740993,9223372036854775807,-9223372036854775808}"}})
          .answer.result);
  EXPECT_EQ(checked.held_back,
            (std::vector{MemberId(beyond_double), MemberId(largest), MemberId(-largest - 1)}));
  const Claimed claimed = std::get<Claimed>(
      decode(ClaimBatch{},
             {{"1", "9223372036854775807", "1", "0", {}, "f", "9007199254740993", "a@x.org", "0"}})
          .answer.result);
  EXPECT_EQ(claimed.batch, BatchId(largest));
  EXPECT_EQ(claimed.members.at(0).id, MemberId(beyond_double));
}

TEST(Codec, ArraysOfTextAreQuoted) {
  EXPECT_EQ(array_of(std::vector<MemberId>{}), "{}");
  EXPECT_EQ(array_of(std::vector<std::string>{"a,b", "c\"d", "e\\f", "", "NULL", "{}"}),
            R"({"a,b","c\"d","e\\f","","NULL","{}"})");
}

TEST(Codec, ClaimsCarryTokenLeaseAndLimit) {
  EXPECT_EQ(encode(ClaimBatch{token}, context).statement.name, "claim_batch");
  EXPECT_EQ(params_of(ClaimBatch{token}), (Params{"spring", token_text, "90000000", "200",
                                                  "-2147483648", "-9223372036854775808"}));
  EXPECT_EQ(params_of(ClaimRetries{token, 100, true}),
            (Params{"spring", token_text, "90000000", "100", "t", "2", "0"}));
  EXPECT_EQ(encode(ReadBack{token, false}, context).statement.name, "read_back_batch");
  EXPECT_EQ(encode(ReadBack{token, true}, context).statement.name, "read_back_retries");
}

// field case: F43
TEST(Codec, WhatReadsTheWholeCampaignIsMarkedAndNothingElse) {
  for (const StoreCommand& command :
       {StoreCommand(Plan{}), StoreCommand(Sweep{}), StoreCommand(CountTotals{})})
    EXPECT_TRUE(encode(command, context).statement.whole_campaign);
  for (const StoreCommand& command :
       {StoreCommand(ClaimBatch{}), StoreCommand(ClaimRetries{}), StoreCommand(Recheck{}),
        StoreCommand(RecordBatch{}), StoreCommand(RecordRetries{}), StoreCommand(ReadBack{})})
    EXPECT_FALSE(encode(command, context).statement.whole_campaign);
}

TEST(Codec, OutcomesAreOneArrayAColumn) {
  Outcome retry;
  retry.member = MemberId(7);
  retry.reason = "http \"503\"";
  retry.attempts = 2;
  retry.delay = 30s;
  retry.doubt = true;
  Outcome released;
  released.member = MemberId(8);
  released.expired_claims = 3;
  Outcome failed;
  failed.member = MemberId(9);
  failed.state = RowState::failed;
  failed.reason = "http 422";
  const Params columns{"{7,8,9}", "{pending,pending,failed}", R"({"http \"503\"",NULL,"http 422"})",
                       "{2,0,0}", "{30000000,NULL,NULL}",     "{t,f,f}",
                       "{0,3,0}"};
  Params batch{"spring", "5", token_text, "{1,2}"};
  batch.insert(batch.end(), columns.begin(), columns.end());
  batch.insert(batch.end(), {"t", "f"});
  EXPECT_EQ(
      params_of(RecordBatch{
          BatchId(5), token, {MemberId(1), MemberId(2)}, {retry, released, failed}, true, false}),
      batch);
  Params retries{"spring", token_text, "{}"};
  retries.insert(retries.end(), columns.begin(), columns.end());
  EXPECT_EQ(params_of(RecordRetries{token, {}, {retry, released, failed}}), retries);
}

TEST(Codec, NothingClaimedSaysWhenToLookAgain) {
  const auto claimed = [](const StoreCommand& command, const Row& row) {
    return std::get<Claimed>(decode(command, {row}).answer.result);
  };
  const Row later{"1792065600000000", {}, {}, {}, "1792065690000000", "f", {}, {}, {}};
  EXPECT_FALSE(claimed(ClaimBatch{}, later).found);
  EXPECT_EQ(claimed(ClaimBatch{}, later).wake, noon + 90s);
  const Row never{"1792065600000000", {}, {}, {}, {}, "t", {}, {}, {}};
  EXPECT_EQ(claimed(ClaimBatch{}, never).wake, std::nullopt);
  EXPECT_TRUE(claimed(ClaimBatch{}, never).halted);
  const Row retries{"1792065600000000", "1792065690000000", "f", {}, {}, {}, {}, {}};
  EXPECT_FALSE(claimed(ClaimRetries{}, retries).found);
  EXPECT_EQ(claimed(ClaimRetries{}, retries).wake, noon + 90s);
}

TEST(Codec, AClaimedBatchMayHoldNobody) {
  const StoreReply reply = decode(
      ClaimBatch{}, {{"1792065600000000", "4", "1792065600000000", "1", {}, "f", {}, {}, {}}});
  const Claimed& claimed = std::get<Claimed>(reply.answer.result);
  EXPECT_TRUE(claimed.found);
  EXPECT_EQ(claimed.batch, BatchId(4));
  EXPECT_EQ(claimed.expired_claims, 1);
  EXPECT_TRUE(claimed.members.empty());
  EXPECT_EQ(reply.answer.db_now, noon);
}

TEST(Codec, AddressesStayBesideTheirMembers) {
  const StoreReply reply =
      decode(ClaimBatch{}, {{"1", "4", "1", "0", {}, "f", "7", "a@x.org", "2"},
                            {"1", "4", "1", "0", {}, "f", "8", {}, "0"},
                            {"1", "4", "1", "0", {}, "f", "9", "no address", "0"}});
  const Claimed& claimed = std::get<Claimed>(reply.answer.result);
  EXPECT_EQ(reply.addresses, (Params{"a@x.org", "", "no address"}));
  ASSERT_EQ(claimed.members.size(), 3u);
  EXPECT_EQ(claimed.members[0].attempts, 2);
  EXPECT_TRUE(claimed.members[0].sendable);
  EXPECT_FALSE(claimed.members[1].sendable);
  EXPECT_FALSE(claimed.members[2].sendable);
}

TEST(Codec, AnErrorThatPassesIsAskedAgainAndOneThatDoesNotIsRefused) {
  const auto status = [](const char* sqlstate) {
    return failure({Delivery::answered, {}, sqlstate, "why"}).status;
  };
  for (const char* passes :
       {"40P01", "40001", "55P03", "57014", "57P01", "57P03", "53300", "08006", "58030"}) {
    EXPECT_EQ(status(passes), StoreStatus::not_done) << passes;
  }
  for (const char* stays : {"42P01", "42703", "42501", "23514", "22P02", "P0001", "XX000"}) {
    EXPECT_EQ(status(stays), StoreStatus::refused) << stays;
  }
  EXPECT_EQ(failure({Delivery::not_sent, {}, "", "no connection"}).status, StoreStatus::not_done);
  EXPECT_EQ(failure({Delivery::lost, {}, "", "cut"}).status, StoreStatus::in_doubt);
  EXPECT_EQ(failure({Delivery::lost, {}, "", "cut"}).error, "cut");
}

}  // namespace
}  // namespace core::pg
