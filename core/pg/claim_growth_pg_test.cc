// A claim costs the same at the end of a campaign as at its beginning, and whatever lies beside
// what it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/pg/testing/counted_store.h"

namespace core::pg {
namespace {

using testing::Campaign;
using testing::CountedStore;

std::int64_t median(std::vector<std::int64_t> of) {
  std::ranges::sort(of);
  return of.at(of.size() / 2);
}

// `claims` claims with their records, all there are. What the middle one of the first twenty and of
// the last twenty touched is compared: the once a second that one looks from the head is neither.
void expect_the_same_at_the_end(CountedStore& store, int claims,
                                const std::function<StoreCommand(Token)>& claiming) {
  std::vector<std::int64_t> first, last;
  for (int n = 1; n <= claims; ++n) {
    const Token token{1, static_cast<std::uint64_t>(n)};
    const bool looks = n <= 20 || n > claims - 20;
    const std::int64_t before = looks ? store.buffers() : 0;
    const Claimed claimed = store.claim(claiming(token));
    ASSERT_TRUE(claimed.found);
    if (looks) (n <= 20 ? first : last).push_back(store.buffers() - before);
    std::vector<MemberId> sent;
    for (const ClaimedMember& member : claimed.members) sent.push_back(member.id);
    if (std::holds_alternative<ClaimBatch>(claiming(token)))
      store.answered(RecordBatch{
          .batch = claimed.batch, .token = token, .sent = sent, .others = {}, .ends = true});
    else
      store.answered(RecordRetries{.token = token, .sent = sent, .others = {}});
  }
  EXPECT_LE(median(last), 3 * median(first));
}

// Since before the campaign, and to its end: an old report, forgotten in a session.
struct HeldSnapshot {
  explicit HeldSnapshot(Campaign& campaign) : session(campaign.database.dsn()) {
    session.run("begin isolation level repeatable read");
    session.run("select count(*) from campaign_targets");
  }
  testing::Session session;
};

// field case: F19
TEST(ClaimGrowth, ABatchCostsTheSameAtTheEndUnderAHeldSnapshot) {
  Campaign campaign;
  campaign.policy.batch = 4;
  campaign.start_over(4 * 300);
  CountedStore store(campaign);
  store.answered(Plan{0});
  campaign.sql().run("analyze campaign_batches");  // as autovacuum does within a minute
  const HeldSnapshot held(campaign);
  expect_the_same_at_the_end(store, 300, [](Token token) { return ClaimBatch{token}; });
  EXPECT_EQ(campaign.states(), "1200 sent");
}

// field case: F19
TEST(ClaimGrowth, RetriesCostTheSameAtTheEndUnderAHeldSnapshot) {
  Campaign campaign;
  campaign.start_over(8 * 150);
  CountedStore store(campaign);
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock() - member_id * interval '1 ms'");
  const HeldSnapshot held(campaign);
  expect_the_same_at_the_end(store, 150, [](Token token) { return ClaimRetries{token, 8, false}; });
  EXPECT_EQ(campaign.states(), "1200 sent");
}

// A campaign whose first `undue` members are due tomorrow, and then 2,000 open ones and 40 that are
// due. Returns: what claims cost that take some, and that find none.
std::vector<std::int64_t> costs_beside(std::int64_t undue) {
  Campaign campaign;
  campaign.start_over(undue + 2'040);
  const std::string others = std::to_string(undue);
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock() + interval '1 day'"
      " where member_id <= " +
      others);
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock() - interval '1 min'"
      " where member_id > 2000 + " +
      others);
  CountedStore store(campaign);
  store.answered(Plan{0});
  campaign.sql().run("vacuum analyze campaign_targets, campaign_batches");
  std::vector<std::int64_t> costs;
  std::uint64_t token = 0;
  const auto claims = [&](const StoreCommand& command) {
    costs.push_back(store.buffers_of(command));
  };
  for (int i = 0; i < 3; ++i) claims(ClaimBatch{Token{1, ++token}});
  for (int i = 0; i < 3; ++i) claims(ClaimRetries{Token{1, ++token}, 20, false});
  claims(ClaimRetries{Token{1, ++token}, 1, true});
  return costs;
}

// field case: F18
TEST(ClaimGrowth, AClaimCostsTheSameWhateverIsNotDueYet) {
  const std::vector<std::int64_t> few = costs_beside(500);
  const std::vector<std::int64_t> many = costs_beside(50'000);
  ASSERT_EQ(few.size(), many.size());
  for (std::size_t i = 0; i < few.size(); ++i) {
    // An index of a hundred times as many is a level or two deeper; each row found descends it.
    EXPECT_LE(many[i], few[i] + few[i] / 2 + 10) << "claim " << i << ", beside few: " << few[i];
  }
}

// What claims leave behind their start is theirs to find again.
TEST(ClaimGrowth, WhatIsHandedBackBehindTheLastClaimIsFoundWithinASecond) {
  Campaign campaign;
  campaign.policy.batch = 1;
  campaign.start_over(20);
  const auto store = campaign.database.store(campaign.policy);
  store->execute(Plan{0});
  std::uint64_t n = 0;
  const auto claimed = [&] {
    const StoreReply reply = store->execute(ClaimBatch{Token{1, ++n}});
    return number(std::get<Claimed>(reply.answer.result).members.at(0).id);
  };
  EXPECT_EQ(claimed(), 1);
  EXPECT_EQ(claimed(), 2);
  campaign.sql().run(
      "update campaign_batches set state = 'open', lease_until = null,"
      " maybe_sent_since = null where first_member = 1");
  campaign.database.pass(1s);
  EXPECT_EQ(claimed(), 3);  // it hears of the second that has passed with this claim
  EXPECT_EQ(claimed(), 1);
}

TEST(ClaimGrowth, WhatIsHandedBackIsFoundAtOnceWhenNothingElseIsLeft) {
  Campaign campaign;
  campaign.policy.batch = 1;
  campaign.start_over(2);
  campaign.to_retry_pool();
  campaign.database.add_members(3, 4);
  const auto store = campaign.database.store(campaign.policy);
  store->execute(Plan{0});
  std::uint64_t n = 0;
  const auto claim = [&](bool retries) {
    const Token token{1, ++n};
    const StoreReply reply =
        retries ? store->execute(ClaimRetries{token, 1, false}) : store->execute(ClaimBatch{token});
    return std::get<Claimed>(reply.answer.result).found;
  };
  for (const bool retries : {false, true}) {
    EXPECT_TRUE(claim(retries));
    EXPECT_TRUE(claim(retries));
    EXPECT_FALSE(claim(retries));
  }
  campaign.sql().run(
      "update campaign_batches set state = 'open', lease_until = null,"
      " maybe_sent_since = null where first_member = 3");
  campaign.sql().run(
      "update campaign_targets set retry_token = null, retry_lease_until = null"
      " where member_id = 1");
  EXPECT_TRUE(claim(false));
  EXPECT_TRUE(claim(true));
}

}  // namespace
}  // namespace core::pg
