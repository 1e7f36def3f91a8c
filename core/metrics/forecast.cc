#include "core/metrics/forecast.h"

namespace core::metrics {

void Forecast::add(Instant now, std::int64_t remaining) {
  counts_.push_back({now, remaining});
  while (counts_.size() > 2 && now - counts_[1].at >= window) counts_.pop_front();
}

std::optional<Duration> Forecast::finish_in() const {
  if (counts_.empty()) return std::nullopt;
  const Count& last = counts_.back();
  if (last.remaining == 0) return Duration(0);
  const Count& first = counts_.front();
  const std::int64_t finished = first.remaining - last.remaining;
  const Duration took = last.at - first.at;
  if (finished <= 0 || took <= Duration(0)) return std::nullopt;
  // 10^9 members and a window of some minutes fit into 64 bits with room to spare.
  return Duration(took.count() * last.remaining / finished);
}

}  // namespace core::metrics
