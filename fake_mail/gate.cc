#include "fake_mail/gate.h"

#include <algorithm>

namespace fake_mail {

std::optional<Answer> Gate::turn_away(const Behaviour& behaviour, ProviderTime now) {
  if (now < outage_until_)
    return Answer{.status = status::unavailable, .outcome = Outcome::unavailable};
  if (now < blocked_until_) return throttle(now);
  if (behaviour.limit_per_s > 0 && !rate_limit_.admit(behaviour.limit_per_s, now)) {
    blocked_until_ = now + behaviour.block;
    return throttle(now);
  }
  return std::nullopt;
}

Answer Gate::throttle(ProviderTime now) const {
  Answer answer{.status = status::throttled, .outcome = Outcome::throttled};
  if (now < blocked_until_) answer.retry_after = blocked_until_ - now;
  answer.retry_after = std::max(answer.retry_after, retry_after_min);
  return answer;
}

}  // namespace fake_mail
