// When a campaign will be finished, at the pace of the last minute of all workers together.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "core/time.h"

namespace core::metrics {

// Threads: one at a time.
class Forecast {
 public:
  static constexpr Duration window = 60s;

  // remaining: members of the whole campaign still open, as last counted. Requires: `now` never
  // goes back.
  void add(Instant now, std::int64_t remaining);

  // From the last count on. Nothing: less than two counts, or nobody was finished in the window.
  std::optional<Duration> finish_in() const;

 private:
  struct Count {
    Instant at;
    std::int64_t remaining;
  };
  std::deque<Count> counts_;  // the newest last; the first is the last one outside the window
};

}  // namespace core::metrics
