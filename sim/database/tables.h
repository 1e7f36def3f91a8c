// The rows of one campaign and its provider, with the orders in which statements walk them.
//
// Ownership: a value of a few flat vectors. Cost: put() doesn't grow with the number of members,
// save that a new one moves the ends of vectors, and the first of another priority sorts them all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/assert.h"
#include "sim/database/retry_pool.h"
#include "sim/database/rows.h"

namespace sim {

class Tables {
 public:
  // Members 1 .. members, priority 0.
  Tables(std::int64_t members, core::Duration interval);
  // One a member. Requires: no batch is there.
  void set_priorities(std::span<const int> priorities);

  const std::vector<MemberRow>& members() const { return members_; }
  const std::vector<BatchRow>& batches() const { return batches_; }  // by id, from 1
  const MemberRow* member(core::MemberId id) const;                  // nullptr: no such row
  const BatchRow* batch(core::BatchId id) const;
  CampaignRow campaign;
  ProviderRow provider;

  // A row's new version, or a new row; ids of new rows follow the last one.
  void put(const MemberRow& row);
  void put(const BatchRow& row);

  std::span<const RetryPool::Entry> retry_pool() const { return pool_.entries(); }
  // Positions in batches() in order of (priority, first member); the undone ones, and maybe some
  // that are done.
  std::span<const std::int32_t> claim_order() const {
    return std::span(claim_order_).subspan(first_undone_);
  }
  bool all_done() const { return first_undone_ == claim_order_.size(); }

  // Members of the batch's priority in its range, ascending, until visit returns false.
  template <typename Visit>
  void each_in(const BatchRow& batch, Visit visit) const {
    for (std::size_t at = position(batch.priority, batch.first); at < members_.size(); ++at) {
      const MemberRow& row = ordered(at);
      if (row.priority != batch.priority || row.id > batch.last || !visit(row)) return;
    }
  }
  // The at-th in order of (priority, id).
  const MemberRow& ordered(std::size_t at) const {
    return order_.empty() ? members_[at] : members_[static_cast<std::size_t>(order_[at])];
  }

 private:
  std::size_t position(int priority, core::MemberId id) const;
  void order_by_priority();

  std::vector<MemberRow> members_;   // by id, from 1
  std::vector<std::int32_t> order_;  // of members by (priority, id); empty: one priority for all
  std::vector<BatchRow> batches_;
  std::vector<std::int32_t> claim_order_;
  std::size_t first_undone_ = 0;  // in claim_order_
  RetryPool pool_;
};

}  // namespace sim
