// The statements of core/pg/statements as plain functions over plain data: one case a statement,
// the same rules, no snapshots and no locks (each statement is atomic here; what locks do is seen
// on PostgreSQL itself).
//
// Ownership: a value; copy it to snapshot a world. Time: given with each statement.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/commands.h"
#include "core/policy.h"

namespace sim {

struct MemberRow {
  core::MemberId id{};
  core::RowState state = core::RowState::pending;
  int attempts = 0;
  int expired_claims = 0;
  std::optional<core::DbTime> opted_out_at;
  std::optional<core::DbTime> not_before;
  std::optional<core::DbTime> maybe_sent_since;
  std::optional<core::Token> retry_token;
  std::optional<core::DbTime> retry_lease_until;
  bool eligible() const { return state == core::RowState::pending && !opted_out_at; }
};

struct BatchRow {
  enum class State { open, leased, done };
  core::BatchId id{};
  core::MemberId first{}, last{};
  State state = State::open;
  std::optional<core::Token> token;
  std::optional<core::DbTime> lease_until;
  int expired_claims = 0;
  std::optional<core::DbTime> maybe_sent_since;
};

class ModelDatabase {
 public:
  ModelDatabase(const core::Policy& policy, std::int64_t members);

  core::StoreAnswer execute(const core::StoreCommand& command, core::DbTime now);

  std::vector<MemberRow>& members() { return members_; }
  const std::vector<MemberRow>& members() const { return members_; }
  const std::vector<BatchRow>& batches() const { return batches_; }

 private:
  core::Planned plan(const core::Plan& plan);
  core::Claimed claim(const core::ClaimBatch& claim, core::DbTime now);
  core::Claimed claim(const core::ClaimRetries& claim, core::DbTime now);
  core::Claimed read_back(const core::ReadBack& read_back) const;
  core::Claimed claimed(const BatchRow& batch) const;
  core::SlotsReserved reserve(const core::ReserveSlots& reserve, core::DbTime now);
  core::Rechecked recheck(const core::Recheck& recheck, core::DbTime now) const;
  core::Recorded record(const core::RecordBatch& record, core::DbTime now);
  core::Recorded record(const core::RecordRetries& record, core::DbTime now);
  core::Swept sweep(const core::Sweep& sweep, core::DbTime now);
  core::Totals totals() const;
  bool all_batches_done() const;
  MemberRow& row(core::MemberId id);
  void write(MemberRow& row, const core::Outcome& outcome, core::DbTime now,
             std::optional<core::DbTime> since);

  core::Policy policy_;
  std::vector<MemberRow> members_;  // ids 1..n
  std::vector<BatchRow> batches_;
  int plan_version_ = 0;
  core::DbTime tat_{};
  core::DbTime paused_until_{};
};

}  // namespace sim
