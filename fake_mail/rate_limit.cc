#include "fake_mail/rate_limit.h"

#include <algorithm>

namespace fake_mail {

using core::operator""s;

bool RateLimit::admit(std::int64_t limit, ProviderTime now) {
  auto place = admitted_.end();
  while (place != admitted_.begin() && *std::prev(place) > now) --place;
  const auto first = std::upper_bound(admitted_.begin(), place, now - 1s);
  if (place - first >= limit) return false;
  admitted_.insert(place, now);
  // Two seconds' worth is kept, so that a request which waited in a freeze is still judged by its
  // own second.
  while (static_cast<std::int64_t>(admitted_.size()) > 2 * limit) admitted_.pop_front();
  return true;
}

}  // namespace fake_mail
