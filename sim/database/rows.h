// Rows of the four tables, reduced to what the statements read. sent_at is not here: a
// CHECK ties it to the state. Of reasons only the one is that a statement reads.
#pragma once

#include <cstdint>
#include <optional>

#include "core/commands.h"

namespace sim {

struct MemberRow {
  core::MemberId id{};
  int priority = 0;
  core::RowState state = core::RowState::pending;
  bool stale = false;  // skipped for this reason
  int attempts = 0;
  int expired_claims = 0;
  std::optional<core::DbTime> opted_out_at;
  std::optional<core::DbTime> not_before;  // set: in the retry pool
  std::optional<core::DbTime> maybe_sent_since;
  std::optional<core::Token> retry_token;
  std::optional<core::DbTime> retry_lease_until;

  bool eligible() const { return state == core::RowState::pending && !opted_out_at; }
  bool operator==(const MemberRow&) const = default;
};

struct BatchRow {
  enum class State : std::uint8_t { open, leased, done };
  core::BatchId id{};
  int priority = 0;
  core::MemberId first{}, last{};
  State state = State::open;
  std::optional<core::Token> token;
  std::optional<core::DbTime> lease_until;
  int expired_claims = 0;
  std::optional<core::DbTime> maybe_sent_since;

  bool operator==(const BatchRow&) const = default;
};

struct CampaignRow {
  int plan_version = 0;
  bool paused = false;
  std::optional<core::DbTime> not_after;
  bool operator==(const CampaignRow&) const = default;
};

struct ProviderRow {
  core::Duration interval{0};
  core::DbTime tat = core::DbTime::min();  // min: -infinity
  core::DbTime paused_until = core::DbTime::min();
  bool operator==(const ProviderRow&) const = default;
};

// As the column has it.
const char* name_of(BatchRow::State state);

// The CHECK constraints of deploy/migrations.
bool legal(const MemberRow& row);
bool legal(const BatchRow& row);

}  // namespace sim
