// Tells a provider's outage from a member's own trouble.
//
// When at least half of the last 50 answers, and at least 20 answers, over at least 2 s say 5xx,
// 429 or time-out, that is weather: nobody's attempts are used and everybody pauses. Until that is
// decided, bad answers are held. A run with fewer than 20 answers can't tell and uses attempts.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"

namespace core {

class Weather {
 public:
  static constexpr std::size_t window = 50;
  static constexpr std::size_t least = 20;
  static constexpr Duration span{2'000'000};

  void observe(bool bad, Instant now);
  // Half or more are bad, or too few to tell: hold bad answers.
  bool suspect() const;
  bool too_few() const { return last_.size() < least; }
  // At `now` it is an outage.
  bool declared(Instant now) const;
  // When an outage that is suspected now will be declared if nothing changes.
  Instant decides_at() const { return bad_since_ + span; }
  // After a pause: start judging anew.
  void clear();

 private:
  std::vector<bool> last_;  // ring of the last answers, true: bad
  std::size_t next_ = 0;
  std::size_t bad_ = 0;
  Instant bad_since_{};  // since when at least half have been bad
};

}  // namespace core
