#include <algorithm>

#include "sim/database/statements.h"

namespace sim {
namespace {

std::optional<core::DbTime> pause_seen(const Statement& s) {
  const core::DbTime until = s.seen().provider.paused_until;
  return until > s.now() ? std::optional(until) : std::nullopt;
}

}  // namespace

core::SlotsReserved reserve_slots(Statement& s, std::int64_t slots) {
  core::SlotsReserved reserved;
  reserved.paused_until = pause_seen(s);
  const auto fits = [&](const ProviderRow& row) {
    return row.paused_until <= s.now() || !s.has(Conjunct::reserve_slots_paused_until);
  };
  if (!fits(s.seen().provider)) return reserved;
  const ProviderRow* latest = s.lock_provider();
  if (latest == nullptr || !fits(*latest)) return reserved;
  const std::int64_t pace = s.policy().pace_permille;
  reserved.count = slots;
  reserved.interval = core::Duration((latest->interval.count() * 1000 + pace - 1) / pace);
  reserved.first =
      s.has(Conjunct::reserve_slots_not_in_the_past) ? std::max(latest->tat, s.now()) : latest->tat;
  ProviderRow after = *latest;
  after.tat = reserved.first + slots * reserved.interval;
  s.change(*latest, after);
  return reserved;
}

core::Paused pause(Statement& s, core::Duration length) {
  const ProviderRow* latest = s.lock_provider();
  if (latest == nullptr) return {};
  ProviderRow after = *latest;
  after.paused_until = s.now() + length;
  if (s.has(Conjunct::pause_longest))
    after.paused_until = std::max(latest->paused_until, after.paused_until);
  s.change(*latest, after);
  return {after.paused_until};
}

core::Rechecked recheck(Statement& s, const core::Recheck& recheck) {
  core::Rechecked result;
  result.halted = s.seen().campaign.paused;
  if (s.has(Conjunct::recheck_paused_until)) {
    result.paused_until = pause_seen(s);
  } else {
    result.paused_until = s.seen().provider.paused_until;
  }
  const auto is_ours = [&](const MemberRow& row) {
    const auto& tokens = recheck.retry_tokens;
    return row.retry_token && s.has(Conjunct::recheck_own_token) &&
           std::find(tokens.begin(), tokens.end(), *row.retry_token) != tokens.end();
  };
  for (const core::MemberId id : recheck.members) {
    const MemberRow* row = s.seen().member(id);
    if (row == nullptr) continue;
    if ((row->opted_out_at && s.has(Conjunct::recheck_opted_out)) ||
        (row->state != core::RowState::pending && s.has(Conjunct::recheck_pending)) ||
        (row->not_before && s.has(Conjunct::recheck_in_pool) && !is_ours(*row)))
      result.held_back.push_back(id);
  }
  return result;
}

}  // namespace sim
