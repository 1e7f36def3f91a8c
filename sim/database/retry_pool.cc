#include "sim/database/retry_pool.h"

#include <algorithm>

#include "core/assert.h"

namespace sim {

void RetryPool::insert(Entry entry) {
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(head_);
  entries_.insert(std::upper_bound(begin, entries_.end(), entry), entry);
}

void RetryPool::erase(Entry entry) {
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(head_);
  const auto at = std::lower_bound(begin, entries_.end(), entry);
  ASSERT(at != entries_.end() && *at == entry);
  if (at - begin > entries_.end() - at) {
    entries_.erase(at);
    return;
  }
  std::move_backward(begin, at, at + 1);
  if (++head_ == entries_.size()) {
    entries_.clear();
    head_ = 0;
  }
}

}  // namespace sim
