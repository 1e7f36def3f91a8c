#include "fake_mail/request_log.h"

#include <algorithm>

namespace fake_mail {

using core::operator""s;

void RequestLog::add(const LoggedRequest& request) {
  // From the back, because nearly all belong there.
  auto place = requests_.end();
  while (place != requests_.begin() && std::prev(place)->arrival > request.arrival) --place;
  judged_ = std::min(judged_, static_cast<std::size_t>(place - requests_.begin()));
  requests_.insert(place, request);
}

void RequestLog::set_status(const LoggedRequest& request, std::int16_t status) {
  const auto earlier = [](const LoggedRequest& a, const LoggedRequest& b) {
    return a.arrival < b.arrival;
  };
  const auto [first, last] = std::equal_range(requests_.begin(), requests_.end(), request, earlier);
  const auto found = std::find_if(
      std::reverse_iterator(last), std::reverse_iterator(first), [&](const LoggedRequest& r) {
        return r.recipient == request.recipient && r.owner == request.owner && r.key == request.key;
      });
  if (found != std::reverse_iterator(first)) found->status = status;
}

std::int64_t RequestLog::max_in_any_second(const SkippedTime& clock) {
  if (judged_ == requests_.size()) return max_;
  const auto time_of = [&](const LoggedRequest& r) { return clock.at(r.arrival); };
  const auto start = requests_.begin() + static_cast<std::ptrdiff_t>(judged_);
  auto first = std::partition_point(requests_.begin(), start, [&](const LoggedRequest& r) {
    return time_of(r) <= time_of(*start) - 1s;
  });
  for (auto last = start; last != requests_.end(); ++last) {
    while (time_of(*first) <= time_of(*last) - 1s) ++first;
    max_ = std::max<std::int64_t>(max_, last - first + 1);
  }
  judged_ = requests_.size();
  return max_;
}

}  // namespace fake_mail
