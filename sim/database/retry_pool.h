// The retry pool in order of (not_before, member): ix_targets_retry. A flat vector: members are
// claimed and leave near its head, and come back near its end.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/time.h"

namespace sim {

class RetryPool {
 public:
  struct Entry {
    core::DbTime due{};
    core::MemberId member{};
    auto operator<=>(const Entry&) const = default;
  };

  std::span<const Entry> entries() const { return std::span(entries_).subspan(head_); }
  void insert(Entry entry);
  void erase(Entry entry);  // Requires: it is there.

 private:
  std::vector<Entry> entries_;
  std::size_t head_ = 0;  // those before it have left
};

}  // namespace sim
