#include "core/weather.h"

#include <algorithm>

namespace core {

void Weather::observe(MemberId member, bool bad, Instant now) {
  const bool was_suspect = suspect() && !last_.empty();
  if (last_.size() < window) {
    last_.push_back({member, bad});
  } else {
    bad_ -= last_[next_].bad ? 1 : 0;
    last_[next_] = {member, bad};
    next_ = (next_ + 1) % window;
  }
  bad_ += bad ? 1 : 0;
  if (suspect() && !was_suspect) bad_since_ = now;
}

bool Weather::suspect() const {
  return bad_ * 2 >= last_.size();
}

bool Weather::too_few() const {
  if (bad_ < least) return true;
  std::vector<MemberId> members;
  for (const Seen& seen : last_) {
    if (seen.bad) members.push_back(seen.member);
  }
  std::sort(members.begin(), members.end());
  const auto end = std::unique(members.begin(), members.end());
  return static_cast<std::size_t>(end - members.begin()) < least;
}

bool Weather::declared(Instant now) const {
  return suspect() && now >= decides_at() && !too_few();
}

void Weather::clear() {
  *this = Weather();
}

}  // namespace core
