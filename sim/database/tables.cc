#include "sim/database/tables.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace sim {

using core::MemberId;

Tables::Tables(std::int64_t members, core::Duration interval) {
  members_.resize(static_cast<std::size_t>(members));
  std::int64_t id = 0;
  for (MemberRow& row : members_) row.id = MemberId(++id);
  provider.interval = interval;
}

void Tables::set_priorities(std::span<const int> priorities) {
  ASSERT(priorities.size() == members_.size() && batches_.empty());
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].priority = priorities[i];
  order_by_priority();
}

void Tables::order_by_priority() {
  order_.clear();
  const auto same = [&](const MemberRow& row) { return row.priority == members_[0].priority; };
  if (std::all_of(members_.begin(), members_.end(), same)) return;
  order_.resize(members_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(members_[static_cast<std::size_t>(a)].priority, a) <
           std::pair(members_[static_cast<std::size_t>(b)].priority, b);
  });
}

std::size_t Tables::position(int priority, MemberId id) const {
  const auto key = std::pair(priority, id);
  if (order_.empty()) {
    if (members_.empty() || priority != members_[0].priority) return members_.size();
    return static_cast<std::size_t>(core::number(id) - 1);
  }
  const auto at =
      std::lower_bound(order_.begin(), order_.end(), key, [&](std::int32_t i, const auto& wanted) {
        const MemberRow& row = members_[static_cast<std::size_t>(i)];
        return std::pair(row.priority, row.id) < wanted;
      });
  return static_cast<std::size_t>(at - order_.begin());
}

const MemberRow* Tables::member(MemberId id) const {
  const auto index = static_cast<std::size_t>(core::number(id) - 1);
  return index < members_.size() ? &members_[index] : nullptr;
}

const BatchRow* Tables::batch(core::BatchId id) const {
  const auto index = static_cast<std::size_t>(core::number(id) - 1);
  return index < batches_.size() ? &batches_[index] : nullptr;
}

void Tables::put(const MemberRow& row) {
  const auto index = static_cast<std::size_t>(core::number(row.id) - 1);
  if (index == members_.size()) {
    members_.push_back(row);
    if (row.not_before) pool_.insert({*row.not_before, row.id});
    if (!order_.empty()) {
      const auto at = order_.begin() + static_cast<std::ptrdiff_t>(position(row.priority, row.id));
      order_.insert(at, static_cast<std::int32_t>(index));
    } else if (row.priority != members_[0].priority) {
      order_by_priority();
    }
    return;
  }
  MemberRow& old = members_.at(index);
  if (old.not_before != row.not_before) {
    if (old.not_before) pool_.erase({*old.not_before, row.id});
    if (row.not_before) pool_.insert({*row.not_before, row.id});
  }
  old = row;
}

void Tables::put(const BatchRow& row) {
  const auto index = static_cast<std::size_t>(core::number(row.id) - 1);
  if (index == batches_.size()) {
    batches_.push_back(row);
  } else {
    batches_.at(index) = row;
  }
  if (row.state == BatchRow::State::done) {
    const auto is_done = [&](std::int32_t i) {
      return batches_[static_cast<std::size_t>(i)].state == BatchRow::State::done;
    };
    while (!all_done() && is_done(claim_order_[first_undone_])) ++first_undone_;
    return;
  }
  if (all_done()) {
    claim_order_.clear();
    first_undone_ = 0;
  }
  const auto key = [&](std::int32_t i) {
    const BatchRow& batch = batches_[static_cast<std::size_t>(i)];
    return std::tuple(batch.priority, batch.first, batch.id);
  };
  const auto wanted = std::tuple(row.priority, row.first, row.id);
  const auto at = std::lower_bound(claim_order_.begin(), claim_order_.end(), wanted,
                                   [&](std::int32_t i, const auto& k) { return key(i) < k; });
  first_undone_ = std::min(first_undone_, static_cast<std::size_t>(at - claim_order_.begin()));
  if (at == claim_order_.end() || key(*at) != wanted)
    claim_order_.insert(at, static_cast<std::int32_t>(index));
}

}  // namespace sim
