#include "harness/counting/clock_skip.h"

#include <algorithm>

namespace harness {

std::optional<core::Duration> skip_of(const Idleness& seen) {
  if (seen.workers.empty() || seen.open_requests != 0 || seen.busy_sessions != 0)
    return std::nullopt;
  const bool all_wait = std::ranges::all_of(
      seen.workers, [](const auto& worker) { return worker.waiting && worker.holding == 0; });
  if (!all_wait) return std::nullopt;
  const std::int64_t until_us =
      std::ranges::min(seen.workers, {}, &Idleness::Worker::until_us).until_us;
  const core::Duration skip(until_us - seen.clock_us);
  if (skip < least_skip) return std::nullopt;
  return skip;
}

}  // namespace harness
