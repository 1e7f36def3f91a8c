// A member that kills every worker that starts it, walked to its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using testing::Campaign;

// field case: F42
TEST(Poison, AMemberThatKillsItsWorkerIsSetAsideAndEverybodyElseIsSent) {
  Campaign campaign;
  campaign.policy.batch = 10;
  campaign.policy.lanes = 4;
  campaign.database.add_members(1, 30);
  const MemberId poison{7};
  std::map<MemberId, int> requests;
  int kills = 0;
  for (std::uint64_t run = 1;; ++run) {
    ASSERT_LE(run, 12u) << campaign.states();
    const auto worker = campaign.lone_sender(run);
    const auto starts_the_poison = [&] {
      return std::ranges::any_of(worker->driver.sends(),
                                 [&](const auto& send) { return send.member == poison; });
    };
    worker->driver.start();
    worker->driver.run_until(starts_the_poison);
    for (const auto& send : worker->driver.sends()) ++requests[send.member];
    if (worker->driver.exit()) break;
    ++kills;  // it is dropped: nothing is recorded
    campaign.database.pass(campaign.policy.lease);
  }
  EXPECT_EQ(kills, campaign.policy.poison_after);
  EXPECT_EQ(campaign.states(), "29 sent, 1 unknown");
  EXPECT_EQ(campaign.count("reason = 'poison' and member_id = 7"), 1);
  EXPECT_EQ(campaign.count("attempts > 0"), 0);
  for (const auto& [member, times] : requests) EXPECT_LE(times, kills) << number(member);
}

}  // namespace
}  // namespace core::pg
