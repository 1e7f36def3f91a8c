#include "sim/database/statements.h"

namespace sim {
namespace {

// Which conjuncts decide whose turn it is to plan or to sweep.
struct TurnQuals {
  Conjunct version, all_done, skip_locked;
};

// Locks the campaign's row if its version is the one the caller has seen and no batch is open.
bool takes_turn(Statement& s, int plan_version, const TurnQuals& quals) {
  const auto fits = [&](const CampaignRow& row) {
    return row.plan_version == plan_version || !s.has(quals.version);
  };
  if (!fits(s.seen().campaign)) return false;
  if (!s.seen().all_done() && s.has(quals.all_done)) return false;
  const CampaignRow* latest =
      s.lock_campaign(s.has(quals.skip_locked) ? OnLocked::skip : OnLocked::wait);
  return latest != nullptr && fits(*latest);
}

}  // namespace

core::Planned plan(Statement& s, const core::Plan& plan) {
  const bool turn =
      takes_turn(s, plan.plan_version,
                 {Conjunct::plan_version, Conjunct::plan_all_done, Conjunct::plan_skip_locked});
  core::Planned planned{turn, s.seen().campaign.plan_version};
  if (s.stopped()) return planned;
  BatchRow range;
  std::int64_t in_range = 0;
  std::int64_t last_id = std::ssize(s.seen().batches());
  const auto close_range = [&] {
    if (in_range == 0) return;
    range.id = core::BatchId(++last_id);
    s.insert(range);
    in_range = 0;
  };
  const bool plans = turn || !s.has(Conjunct::plan_turn);
  for (std::size_t at = 0; plans && at < s.seen().members().size() && !s.stopped(); ++at) {
    const MemberRow& row = s.seen().ordered(at);
    if ((row.state != core::RowState::pending && s.has(Conjunct::plan_pending)) ||
        (row.not_before && s.has(Conjunct::plan_not_in_pool)) ||
        (row.opted_out_at && s.has(Conjunct::plan_opted_out)))
      continue;
    if (in_range == s.policy().batch || row.priority != range.priority) close_range();
    if (in_range++ == 0) {
      range.priority = row.priority;
      range.first = row.id;
    }
    range.last = row.id;
  }
  if (!s.stopped()) close_range();
  if (!turn || s.stopped()) return planned;
  const CampaignRow& before = *s.lock_campaign();
  CampaignRow after = before;
  if (s.has(Conjunct::plan_set_version)) ++after.plan_version;
  planned.plan_version = after.plan_version;
  s.change(before, after);
  return planned;
}

core::Swept sweep(Statement& s, const core::Sweep& sweep) {
  const bool turn =
      takes_turn(s, sweep.plan_version,
                 {Conjunct::sweep_version, Conjunct::sweep_all_done, Conjunct::sweep_skip_locked});
  core::Swept swept{turn, s.seen().campaign.plan_version, 0, 0};
  if (s.stopped() || (!turn && s.has(Conjunct::sweep_turn))) return swept;
  std::vector<core::MemberId> loose;
  for (const MemberRow& row : s.seen().members()) {
    if ((row.state == core::RowState::pending || !s.has(Conjunct::sweep_pending)) &&
        (!row.not_before || !s.has(Conjunct::sweep_not_before)) &&
        (!row.opted_out_at || !s.has(Conjunct::sweep_opted_out)))
      loose.push_back(row.id);
  }
  swept.loose = std::ssize(loose);
  if (swept.loose >= s.policy().batch && s.has(Conjunct::sweep_few)) return swept;
  const auto fits = [&](const MemberRow& row) {
    return (row.state == core::RowState::pending || !s.has(Conjunct::sweep_moved_pending)) &&
           (!row.not_before || !s.has(Conjunct::sweep_moved_not_in_pool));
  };
  for (const core::MemberId id : loose) {
    if (!fits(*s.seen().member(id))) continue;
    const MemberRow* latest = s.lock(id);
    if (s.stopped()) return swept;
    if (!fits(*latest)) continue;
    MemberRow moved = *latest;
    moved.not_before = s.now();
    s.change(*latest, moved);
    ++swept.moved;
  }
  return swept;
}

core::Totals totals(Statement& s) {
  core::Totals totals;
  for (const MemberRow& row : s.seen().members()) {
    ++totals.total;
    switch (row.state) {
      case core::RowState::sent:
        ++totals.sent;
        break;
      case core::RowState::failed:
        ++totals.failed;
        break;
      case core::RowState::unknown:
        ++totals.unknown;
        break;
      case core::RowState::skipped:
        ++totals.skipped;
        totals.stale += row.stale ? 1 : 0;
        break;
      case core::RowState::pending:
        ++(row.opted_out_at ? totals.opted_out : totals.remaining);
        break;
    }
  }
  return totals;
}

}  // namespace sim
