#include "core/retry.h"

#include <algorithm>

#include "core/rng.h"

namespace core {

Duration backoff(const Policy& policy, std::uint64_t seed, MemberId member, int attempt) {
  Duration delay = policy.backoff;
  for (int doubled = 1; doubled < attempt && delay < policy.backoff_max; ++doubled) delay *= 2;
  delay = std::min(delay, policy.backoff_max);
  const std::uint64_t draw = mix(mix(seed ^ static_cast<std::uint64_t>(number(member))) ^
                                 static_cast<std::uint64_t>(attempt));
  const auto span = static_cast<std::uint64_t>(delay.count() / 2 + 1);
  return delay + Duration(static_cast<Duration::rep>(draw % span));
}

}  // namespace core
