// Every request that the provider read, in the order of arrival, 24 bytes each.
//
// Ownership: a value; the texts are numbers of the ledger's pools.
// Order: threads decide requests in nearly the order of arrival, and a thaw releases waiting ones
// in any order; `add` puts each at its place, so whoever reads sees the order of arrival.
#pragma once

#include <cstdint>
#include <deque>

#include "fake_mail/answer.h"
#include "fake_mail/clock.h"

namespace fake_mail {

struct LoggedRequest {
  Arrival arrival;
  std::uint32_t owner = 0;
  std::uint32_t recipient = 0;
  std::uint32_t key = 0;    // 0: none
  std::int16_t status = 0;  // 0: no answer was given
  Outcome outcome = Outcome::refused;
};
static_assert(sizeof(LoggedRequest) == 24);

class RequestLog {
 public:
  void add(const LoggedRequest& request);

  // Corrects the status of a request whose answer was decided later; the others keep theirs. Of
  // several alike that arrived at once, it is the one decided last.
  void set_status(const LoggedRequest& request, std::int16_t status);

  const std::deque<LoggedRequest>& all() const { return requests_; }

  // The most requests with a time in (t - 1 s, t], over all t. Costs what was added since the last
  // call.
  std::int64_t max_in_any_second(const SkippedTime& clock);

 private:
  std::deque<LoggedRequest> requests_;
  std::size_t judged_ = 0;  // windows that end at one of the first `judged_` requests are in `max_`
  std::int64_t max_ = 0;
};

}  // namespace fake_mail
