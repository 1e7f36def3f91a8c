// At most `limit` admitted requests with a time in any (t - 1 s, t]. Those that were not admitted
// don't count towards it: a sender that goes on at 600/s under a limit of 500/s still gets 500/s
// through, unless a block is set.
//
// Ownership: a value; copying one that has admitted nothing allocates nothing.
#pragma once

#include <cstdint>

#include "fake_mail/recent_times.h"

namespace fake_mail {

class RateLimit {
 public:
  // Requires: limit > 0. Times come nearly in order; a request is judged by the second before its
  // own time. Returns: whether it is admitted; if so it counts from now on.
  bool admit(std::int64_t limit, ProviderTime now);

 private:
  RecentTimes admitted_;  // at least the last second's
};

}  // namespace fake_mail
