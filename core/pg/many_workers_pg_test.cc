// Many sessions at one campaign, each in a thread of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;

// field case: F16
TEST(ManyWorkers, TwentyThatClaimInTheSameMomentShareTheWorkWithoutADeadlock) {
  constexpr int workers = 20;
  Campaign campaign;
  campaign.policy.batch = 5;
  campaign.database.add_members(1, 1'000);
  campaign.database.add_members(1'001, 1'200);
  campaign.sql().run(
      "update campaign_targets set not_before = campaign_clock()"
      " where member_id > 1000");
  std::vector<std::unique_ptr<PgStore>> stores;
  for (int i = 0; i < workers; ++i) stores.push_back(campaign.database.store(campaign.policy));
  std::mutex mutex;
  std::map<MemberId, int> claimed;
  std::atomic<int> errors{0}, planned{0};
  std::latch begin(workers);
  const auto work = [&](int index) {
    PgStore& store = *stores[static_cast<std::size_t>(index)];
    const auto answered = [&](const StoreCommand& command) {
      StoreReply reply = store.execute(command);
      if (reply.answer.status != StoreStatus::answered) ++errors;
      return reply;
    };
    begin.arrive_and_wait();
    planned += std::get<Planned>(answered(Plan{0}).answer.result).mine ? 1 : 0;
    while (planned == 0 && errors == 0) std::this_thread::yield();
    bool retries = index % 2 == 0;
    for (std::uint64_t n = 1, none = 0; none < 2 && errors == 0; ++n) {
      const Token token{static_cast<std::uint64_t>(index) + 1, n};
      const StoreReply reply =
          retries ? answered(ClaimRetries{token, 5, false}) : answered(ClaimBatch{token});
      const auto& claim = std::get<Claimed>(reply.answer.result);
      none = claim.found ? 0 : none + 1;
      std::vector<MemberId> sent;
      for (const ClaimedMember& member : claim.members) sent.push_back(member.id);
      {
        const std::lock_guard lock(mutex);
        for (const MemberId member : sent) ++claimed[member];
      }
      if (claim.found && retries) answered(RecordRetries{token, sent, {}});
      if (claim.found && !retries) answered(RecordBatch{claim.batch, token, sent, {}, true, false});
      if (!claim.found) retries = !retries;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back(work, i);
  }
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(planned, 1);
  EXPECT_EQ(claimed.size(), 1'200u);
  for (const auto& [member, times] : claimed) EXPECT_EQ(times, 1) << number(member);
  EXPECT_EQ(campaign.states(), "1200 sent");
  EXPECT_EQ(campaign.sql().number("select deadlocks from pg_stat_database"
                                  " where datname = current_database()"),
            0);
}

}  // namespace
}  // namespace core::pg
