#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sim/database/statements.h"

namespace sim {
namespace {

using core::Claimed;
using core::DbTime;

bool has_ended(const std::optional<DbTime>& lease_until, DbTime now) {
  return lease_until && *lease_until <= now;
}

void keep_earliest(std::optional<DbTime>& earliest, DbTime time) {
  if (!earliest || time < *earliest) earliest = time;
}

// Which conjuncts of a statement choose the members of a claimed batch.
struct MemberQuals {
  Conjunct priority, pending, not_in_pool, opted_out, limit;
};

Claimed claimed(const Statement& s, const BatchRow& batch, const MemberQuals& quals) {
  Claimed result;
  result.found = true;
  result.batch = batch.id;
  result.since = *batch.maybe_sent_since;
  result.expired_claims = batch.expired_claims;
  const auto visit = [&](const MemberRow& row) {
    if ((row.state != core::RowState::pending && s.has(quals.pending)) ||
        (row.not_before && s.has(quals.not_in_pool)) ||
        (row.opted_out_at && s.has(quals.opted_out)))
      return true;
    const bool full = std::ssize(result.members) >= s.policy().batch && s.has(quals.limit);
    if (!full) result.members.push_back({row.id, row.attempts, 0, result.since, true});
    return !full;
  };
  if (s.has(quals.priority)) {
    s.seen().each_in(batch, visit);
    return result;
  }
  for (std::int64_t id = core::number(batch.first); id <= core::number(batch.last); ++id) {
    const MemberRow* row = s.seen().member(core::MemberId(id));
    if (row == nullptr || !visit(*row)) break;
  }
  return result;
}

// When the next lease ends.
Claimed no_batch(const Statement& s) {
  Claimed nothing;
  nothing.halted = s.seen().campaign.paused;
  if (!s.has(Conjunct::claim_batch_wake_undone)) {
    for (const BatchRow& batch : s.seen().batches())
      keep_earliest(nothing.wake, batch.lease_until.value_or(s.now()));
    return nothing;
  }
  for (const std::int32_t at : s.seen().claim_order()) {
    const BatchRow& batch = s.seen().batches()[static_cast<std::size_t>(at)];
    if (batch.state != BatchRow::State::done)
      keep_earliest(nothing.wake, batch.lease_until.value_or(s.now()));
  }
  return nothing;
}

// When the next member is due, or the next lease of either kind ends.
Claimed no_retries(const Statement& s) {
  Claimed nothing;
  nothing.halted = s.seen().campaign.paused;
  for (const RetryPool::Entry& entry : s.seen().retry_pool()) {
    const MemberRow& row = *s.seen().member(entry.member);
    if (!row.eligible()) continue;
    const bool due = entry.due <= s.now();
    keep_earliest(nothing.wake, due ? row.retry_lease_until.value_or(entry.due) : entry.due);
    if (!due) break;
  }
  return nothing;
}

core::ClaimedMember claimed_member(const MemberRow& row, DbTime since) {
  return {row.id, row.attempts, row.expired_claims, since, true};
}

// Positions in batches() in the order in which a claim tries them.
std::vector<std::int32_t> by_first_member(const Statement& s) {
  const auto undone = s.seen().claim_order();
  std::vector<std::int32_t> order(undone.begin(), undone.end());
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const auto first = [&](std::int32_t at) {
      return s.seen().batches()[static_cast<std::size_t>(at)].first;
    };
    return std::pair(first(a), a) < std::pair(first(b), b);
  });
  return order;
}

}  // namespace

Claimed claim_batch(Statement& s, const core::ClaimBatch& claim) {
  const auto on_locked = s.has(Conjunct::claim_batch_skip_locked) ? OnLocked::skip : OnLocked::wait;
  const auto fits = [&](const BatchRow& batch) {
    return batch.state != BatchRow::State::done &&
           (batch.state == BatchRow::State::open || has_ended(batch.lease_until, s.now()) ||
            !s.has(Conjunct::claim_batch_lease_expired));
  };
  if (s.seen().campaign.paused && s.has(Conjunct::claim_batch_paused)) return no_batch(s);
  std::vector<std::int32_t> unordered;
  if (!s.has(Conjunct::claim_batch_order)) unordered = by_first_member(s);
  for (const std::int32_t at :
       s.has(Conjunct::claim_batch_order) ? s.seen().claim_order() : std::span(unordered)) {
    const BatchRow& row = s.seen().batches()[static_cast<std::size_t>(at)];
    if (!fits(row)) continue;
    const BatchRow* latest = s.lock(row.id, on_locked);
    if (s.stopped()) return {};
    if (latest == nullptr || !fits(*latest)) continue;
    BatchRow taken = *latest;
    taken.state = BatchRow::State::leased;
    if (s.has(Conjunct::claim_batch_set_token)) taken.token = claim.token;
    taken.lease_until = s.now() + s.policy().lease;
    if (latest->state == BatchRow::State::leased && s.has(Conjunct::claim_batch_set_expired_claims))
      ++taken.expired_claims;
    if (!taken.maybe_sent_since || !s.has(Conjunct::claim_batch_first_since))
      taken.maybe_sent_since = s.now();
    s.change(*latest, taken);
    return claimed(s, taken,
                   {Conjunct::claim_batch_priority, Conjunct::claim_batch_pending,
                    Conjunct::claim_batch_not_in_pool, Conjunct::claim_batch_opted_out,
                    Conjunct::claim_batch_limit});
  }
  return no_batch(s);
}

Claimed claim_retries(Statement& s, const core::ClaimRetries& claim) {
  const auto on_locked =
      s.has(Conjunct::claim_retries_skip_locked) ? OnLocked::skip : OnLocked::wait;
  const auto fits = [&](const MemberRow& row) {
    const bool suspect = row.expired_claims >= s.policy().suspect_after;
    return row.state == core::RowState::pending && row.not_before &&
           (*row.not_before <= s.now() || !s.has(Conjunct::claim_retries_not_before)) &&
           (!row.opted_out_at || !s.has(Conjunct::claim_retries_opted_out)) &&
           (!row.retry_lease_until || has_ended(row.retry_lease_until, s.now()) ||
            !s.has(Conjunct::claim_retries_lease_expired)) &&
           (suspect == claim.suspects || !s.has(Conjunct::claim_retries_suspects));
  };
  Claimed result;
  const bool halted = s.seen().campaign.paused && s.has(Conjunct::claim_retries_paused);
  for (const RetryPool::Entry& entry : s.seen().retry_pool()) {
    const bool full = std::ssize(result.members) >= claim.limit;
    if (halted || (full && s.has(Conjunct::claim_retries_limit))) break;
    if (entry.due > s.now() && s.has(Conjunct::claim_retries_not_before)) break;
    if (!fits(*s.seen().member(entry.member))) continue;
    const MemberRow* latest = s.lock(entry.member, on_locked);
    if (s.stopped()) return {};
    if (latest == nullptr || !fits(*latest)) continue;
    MemberRow taken = *latest;
    taken.retry_token = claim.token;
    taken.retry_lease_until = s.now() + s.policy().lease;
    if (latest->retry_lease_until && s.has(Conjunct::claim_retries_set_expired_claims))
      ++taken.expired_claims;
    if (!taken.maybe_sent_since || !s.has(Conjunct::claim_retries_first_since))
      taken.maybe_sent_since = s.now();
    s.change(*latest, taken);
    result.members.push_back(claimed_member(taken, *taken.maybe_sent_since));
  }
  if (result.members.empty()) return no_retries(s);
  result.found = true;
  std::sort(result.members.begin(), result.members.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return result;
}

Claimed read_back_batch(Statement& s, const core::Token& token) {
  for (const BatchRow& batch : s.seen().batches()) {
    const bool leased = batch.state == BatchRow::State::leased;
    if (!batch.maybe_sent_since || (!leased && s.has(Conjunct::read_back_batch_leased)) ||
        (batch.token != token && s.has(Conjunct::read_back_batch_token)))
      continue;
    return claimed(s, batch,
                   {Conjunct::read_back_batch_priority, Conjunct::read_back_batch_pending,
                    Conjunct::read_back_batch_not_in_pool, Conjunct::read_back_batch_opted_out,
                    Conjunct::read_back_batch_limit});
  }
  return {};
}

Claimed read_back_retries(Statement& s, const core::Token& token) {
  Claimed result;
  for (const RetryPool::Entry& entry : s.seen().retry_pool()) {
    const MemberRow& row = *s.seen().member(entry.member);
    if ((row.opted_out_at && s.has(Conjunct::read_back_retries_opted_out)) ||
        (row.retry_token != token && s.has(Conjunct::read_back_retries_token)))
      continue;
    result.members.push_back(claimed_member(row, row.maybe_sent_since.value_or(s.now())));
  }
  result.found = !result.members.empty();
  std::sort(result.members.begin(), result.members.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return result;
}

}  // namespace sim
