// What turns a request away before anyone looks whom it is for: an outage, a block, the rate limit.
//
// Ownership: a value; copying it allocates only while the rate limit remembers requests.
// Time: passed in with each call.
#pragma once

#include <algorithm>
#include <optional>

#include "fake_mail/answer.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/clock.h"
#include "fake_mail/rate_limit.h"

namespace fake_mail {

class Gate {
 public:
  // Everything is answered 503 before `end`.
  void begin_outage(ProviderTime end) { outage_until_ = end; }

  // Returns: the answer to a request that is turned away, nothing for one that is let in and counts
  // towards the limit.
  std::optional<Answer> turn_away(const Behaviour& behaviour, ProviderTime now);

  // Everybody is turned away before this; min: never so far.
  ProviderTime closed_until() const { return std::max(blocked_until_, outage_until_); }

 private:
  Answer throttle(ProviderTime now) const;

  RateLimit rate_limit_;
  ProviderTime blocked_until_ = ProviderTime::min();
  ProviderTime outage_until_ = ProviderTime::min();
};

}  // namespace fake_mail
