#include "harness/live_process.h"

#include <utility>

namespace harness {

void Reports::put(Report report) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(report));
  changed_.notify_one();
}

std::optional<Report> Reports::next(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, at_most, [&] { return !waiting_.empty(); })) return std::nullopt;
  Report first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

}  // namespace harness
