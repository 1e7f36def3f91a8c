#include "fake_mail/rate_limit.h"

namespace fake_mail {

bool RateLimit::admit(std::int64_t limit, ProviderTime now) {
  if (admitted_.in_second_up_to(now) >= limit) return false;
  admitted_.add(now);
  // Two seconds' worth is kept, so that a request which waited in a freeze is still judged by its
  // own second.
  while (admitted_.size() > 2 * limit) admitted_.drop_oldest();
  return true;
}

}  // namespace fake_mail
