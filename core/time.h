// Time as the core sees it. Two clocks that must never be mixed are two types:
//   Instant   this process's monotonic clock: local deadlines, pacing, timeouts.
//   DbTime    the database's campaign_clock(): leases, due times, opt-outs, the shared rate.
// Nothing in core reads a clock; every event carries the times it needs.
#pragma once

#include <chrono>
#include <cstdint>

namespace core {

using Duration = std::chrono::microseconds;

struct MonotonicClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  static constexpr bool is_steady = true;
};
struct DatabaseClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  static constexpr bool is_steady = false;
};

using Instant = std::chrono::time_point<MonotonicClock, Duration>;
// Microseconds since 1970-01-01 UTC, as the database tells them.
using DbTime = std::chrono::time_point<DatabaseClock, Duration>;

using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""h;

}  // namespace core
