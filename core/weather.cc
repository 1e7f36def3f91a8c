#include "core/weather.h"

namespace core {

void Weather::observe(bool bad, Instant now) {
  const bool was_suspect = suspect() && !last_.empty();
  if (last_.size() < window) {
    last_.push_back(bad);
  } else {
    bad_ -= last_[next_] ? 1 : 0;
    last_[next_] = bad;
    next_ = (next_ + 1) % window;
  }
  bad_ += bad ? 1 : 0;
  if (suspect() && !was_suspect) bad_since_ = now;
}

bool Weather::suspect() const {
  return bad_ * 2 >= last_.size();
}

bool Weather::declared(Instant now) const {
  return last_.size() >= least && suspect() && now >= decides_at();
}

void Weather::clear() {
  *this = Weather();
}

}  // namespace core
