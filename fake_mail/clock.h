// The provider's two times.
//   Arrival       wall time at which a request had been read; never moved by anyone.
//   ProviderTime  the provider's own clock: arrival time plus all the time that was skipped by
//   then. The
//                 dedupe window, the rate limit, blocks and outages are judged by it.
#pragma once

#include <vector>

#include "core/time.h"

namespace fake_mail {

struct ArrivalClock {
  using rep = core::Duration::rep;
  using period = core::Duration::period;
  using duration = core::Duration;
  static constexpr bool is_steady = false;
};
struct ProviderClock {
  using rep = core::Duration::rep;
  using period = core::Duration::period;
  using duration = core::Duration;
  static constexpr bool is_steady = false;
};

// Microseconds since 1970-01-01 UTC.
using Arrival = std::chrono::time_point<ArrivalClock, core::Duration>;
using ProviderTime = std::chrono::time_point<ProviderClock, core::Duration>;

// Turns arrival times into the provider's time. A request that arrived before a skip keeps its
// time, also when it is decided after the skip, so order by arrival and order by the provider's
// time are the same.
class SkippedTime {
 public:
  // Requires: by >= 0. Calls in the order of `now`.
  void skip(Arrival now, core::Duration by) { skips_.push_back({now, total() + by}); }

  ProviderTime at(Arrival arrival) const {
    for (auto skip = skips_.rbegin(); skip != skips_.rend(); ++skip)
      if (skip->from <= arrival) return ProviderTime(arrival.time_since_epoch() + skip->total);
    return ProviderTime(arrival.time_since_epoch());
  }

 private:
  struct Skip {
    Arrival from;
    core::Duration total;
  };
  core::Duration total() const { return skips_.empty() ? core::Duration(0) : skips_.back().total; }
  std::vector<Skip> skips_;
};

}  // namespace fake_mail
