#include "sim/database/bystander.h"

#include "sim/database/statements.h"

namespace sim {

namespace {

// Locks the row if it fits, looks at it again, and lets `set` make its new version.
void update(Statement& s, core::MemberId member, const auto& fits, const auto& set) {
  const MemberRow* row = s.seen().member(member);
  if (row == nullptr || !fits(*row)) return;
  row = s.lock(member);
  if (row == nullptr || !fits(*row)) return;
  MemberRow after = *row;
  set(after);
  s.change(*row, after);
}

bool is_open(const MemberRow& row) {
  return row.state == core::RowState::pending;
}

}  // namespace

void opt_out(Statement& s, core::MemberId member) {
  update(
      s, member, [](const MemberRow& row) { return !row.opted_out_at; },
      [&](MemberRow& row) { row.opted_out_at = s.now(); });
}

void withdraw_opt_out(Statement& s, core::MemberId member) {
  update(
      s, member, [](const MemberRow& row) { return row.opted_out_at.has_value(); },
      [](MemberRow& row) { row.opted_out_at.reset(); });
}

void suppress(Statement& s, core::MemberId member) {
  update(s, member, is_open, [](MemberRow& row) {
    row.state = core::RowState::skipped;
    row.not_before.reset();
    row.retry_token.reset();
    row.retry_lease_until.reset();
  });
}

void retry_now(Statement& s, core::MemberId member) {
  update(s, member, is_open, [&](MemberRow& row) { row.not_before = s.now(); });
}

void add_member(Statement& s, int priority) {
  MemberRow row;
  row.id = core::MemberId(std::ssize(s.seen().members()) + 1);
  row.priority = priority;
  s.insert(row);
}

void pause_campaign(Statement& s, bool paused) {
  const CampaignRow* row = s.lock_campaign();
  if (row == nullptr) return;
  CampaignRow after = *row;
  after.paused = paused;
  s.change(*row, after);
}

}  // namespace sim
