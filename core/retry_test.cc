#include "core/retry.h"

#include <gtest/gtest.h>

#include <set>

namespace core {
namespace {

TEST(Backoff, DoublesUpToItsCap) {
  const Policy policy;
  const Duration least[] = {30s, 60s, 120s, 240s, 480s, 600s, 600s};
  for (int attempt = 1; attempt <= 7; ++attempt) {
    const Duration delay = backoff(policy, 1, MemberId(7), attempt);
    EXPECT_GE(delay, least[attempt - 1]);
    EXPECT_LE(delay, least[attempt - 1] * 3 / 2);
  }
  EXPECT_LE(backoff(policy, 1, MemberId(7), 1'000'000), 900s);
}

// An outage's members come back spread over half of the delay, not in one wave.
TEST(Backoff, SpreadsMembersOverItsJitter) {
  const Policy policy;
  std::set<std::int64_t> seconds;
  for (int member = 1; member <= 1000; ++member) {
    seconds.insert(backoff(policy, 1, MemberId(member), 1) / 1s);
  }
  EXPECT_EQ(seconds.size(), 15u);  // each second from 30 to 44
}

TEST(Backoff, OfOneMemberDependsOnSeedAndAttemptAlone) {
  const Policy policy;
  EXPECT_EQ(backoff(policy, 5, MemberId(7), 2), backoff(policy, 5, MemberId(7), 2));
  EXPECT_NE(backoff(policy, 5, MemberId(7), 2), backoff(policy, 6, MemberId(7), 2));
  EXPECT_NE(backoff(policy, 5, MemberId(7), 2) - 60s, backoff(policy, 5, MemberId(7), 3) - 120s);
}

}  // namespace
}  // namespace core
