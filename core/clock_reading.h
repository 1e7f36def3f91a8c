// What this process's clock says when the database's says so: read off the answers of statements.
//
// An answer tells the time at which its statement began and is heard later, by the statement's
// length, a wait for a lock, a slow commit. The answer that was heard soonest after its time is the
// nearest to the truth, and is what counts, for the last half minute: clocks drift apart.
#pragma once

#include <algorithm>
#include <limits>

#include "core/time.h"

namespace core {

class ClockReading {
 public:
  // Requires: now does not go back.
  void heard(Instant now, DbTime time) {
    if (now - since_ >= keep) {
      before_ = now - since_ >= 2 * keep ? unknown : least_;
      least_ = unknown;
      since_ = now;
    }
    least_ = std::min(least_, now.time_since_epoch() - time.time_since_epoch());
  }

  // Requires: something was heard. Never before the true moment.
  Instant local(DbTime time) const { return Instant(time.time_since_epoch() + ahead()); }
  // Of this process's clock over the database's.
  Duration ahead() const { return std::min(least_, before_); }

 private:
  static constexpr Duration keep{15'000'000};
  static constexpr Duration unknown{std::numeric_limits<Duration::rep>::max()};

  Duration least_ = unknown;   // of this quarter of a minute
  Duration before_ = unknown;  // of the one before
  Instant since_{};
};

}  // namespace core
