#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/retry.h"

namespace core {
namespace {

RC_GTEST_PROP(Backoff, IsNeverBelowTheDoubledDelayNorAboveOneAndAHalf,
              (std::uint64_t seed, std::int64_t member)) {
  const int attempt = *rc::gen::inRange(1, 100);
  Policy policy;
  policy.backoff = std::chrono::seconds(*rc::gen::inRange(1, 600));
  Duration doubled = policy.backoff;
  for (int i = 1; i < attempt && doubled < policy.backoff_max; ++i) doubled *= 2;
  doubled = std::min(doubled, policy.backoff_max);
  const Duration delay = backoff(policy, seed, MemberId(member), attempt);
  RC_ASSERT(delay >= doubled);
  RC_ASSERT(delay <= doubled + doubled / 2);
  RC_ASSERT(delay == backoff(policy, seed, MemberId(member), attempt));
}

}  // namespace
}  // namespace core
