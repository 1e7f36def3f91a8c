// The times of the latest requests, sorted: how many lie in one second.
//
// Ownership: a value; copying an empty one allocates nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fake_mail/clock.h"

namespace fake_mail {

class RecentTimes {
 public:
  // Returns: those in (time - 1 s, time].
  std::int64_t in_second_up_to(ProviderTime time) const {
    const auto end = place_of(time);
    return end - std::upper_bound(first(), end, time - std::chrono::seconds(1));
  }

  std::int64_t size() const { return times_.end() - first(); }
  // Requires: size() > 0.
  ProviderTime oldest() const { return *first(); }

  // Constant time for the latest one, and about that for one that comes a little late.
  void add(ProviderTime time) { times_.insert(place_of(time), time); }

  // Requires: size() > 0. Constant time, amortised.
  void drop_oldest() {
    if (++dropped_ * 2 < times_.size()) return;
    times_.erase(times_.begin(), first());
    dropped_ = 0;
  }

 private:
  using Place = std::vector<ProviderTime>::const_iterator;

  Place first() const { return times_.begin() + static_cast<std::ptrdiff_t>(dropped_); }
  Place place_of(ProviderTime time) const {
    auto place = times_.end();
    while (place != first() && *std::prev(place) > time) --place;
    return place;
  }

  std::vector<ProviderTime> times_;  // sorted from `dropped_` on
  std::size_t dropped_ = 0;
};

}  // namespace fake_mail
