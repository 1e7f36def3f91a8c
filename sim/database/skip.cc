#include <algorithm>
#include <optional>
#include <vector>

#include "sim/database/statements.h"

namespace sim {
namespace {

using core::DbTime;
using core::RowState;

bool is_over(const Statement& s) {
  const CampaignRow& campaign = s.seen().campaign;
  const bool late = (campaign.not_after && *campaign.not_after <= s.now()) ||
                    !s.has(Conjunct::skip_stale_not_after);
  return late && (!campaign.paused || !s.has(Conjunct::skip_stale_paused));
}

std::vector<BatchRow> picked_batches(Statement& s) {
  std::vector<BatchRow> picked;
  const auto fits = [&](const BatchRow& batch) {
    return batch.state != BatchRow::State::done &&
           (batch.state == BatchRow::State::open || *batch.lease_until <= s.now() ||
            !s.has(Conjunct::skip_stale_lease_expired));
  };
  const auto on_locked = s.has(Conjunct::skip_stale_skip_locked) ? OnLocked::skip : OnLocked::wait;
  for (const std::int32_t at : s.seen().claim_order()) {
    if (std::ssize(picked) == core::SkipStale::batches_most) break;
    const BatchRow& row = s.seen().batches()[static_cast<std::size_t>(at)];
    if (!fits(row)) continue;
    const BatchRow* latest = s.lock(row.id, on_locked);
    if (s.stopped()) return picked;
    if (latest != nullptr && fits(*latest)) picked.push_back(*latest);
  }
  return picked;
}

std::vector<MemberRow> picked_retries(Statement& s) {
  std::vector<MemberRow> picked;
  const auto fits = [&](const MemberRow& row) {
    return row.eligible() && row.not_before &&
           (!row.retry_lease_until || *row.retry_lease_until <= s.now() ||
            !s.has(Conjunct::skip_stale_retry_lease));
  };
  for (const RetryPool::Entry& entry : s.seen().retry_pool()) {
    if (std::ssize(picked) == core::SkipStale::retries_most) break;
    if (!fits(*s.seen().member(entry.member))) continue;
    const MemberRow* latest = s.lock(entry.member, OnLocked::skip);
    if (s.stopped()) return picked;
    if (latest != nullptr && fits(*latest)) picked.push_back(*latest);
  }
  return picked;
}

void end_stale(const Statement& s, MemberRow& row) {
  const bool doubt = row.maybe_sent_since && s.has(Conjunct::skip_stale_doubt);
  row.state = doubt ? RowState::unknown : RowState::skipped;
  row.stale = true;
}

// Returns: how many have ended.
std::int64_t skip_members(Statement& s, const BatchRow& batch) {
  const auto fits = [&](const MemberRow& row) {
    return (row.state == RowState::pending || !s.has(Conjunct::skip_stale_pending)) &&
           (!row.not_before || !s.has(Conjunct::skip_stale_not_in_pool)) &&
           (!row.opted_out_at || batch.maybe_sent_since || !s.has(Conjunct::skip_stale_opted_out));
  };
  std::vector<core::MemberId> ids;
  s.seen().each_in(batch, [&](const MemberRow& row) {
    if (fits(row)) ids.push_back(row.id);
    return true;
  });
  std::int64_t ended = 0;
  for (const core::MemberId id : ids) {
    const MemberRow* latest = s.lock(id);
    if (s.stopped()) return 0;
    if (!fits(*latest)) continue;
    MemberRow after = *latest;
    if (!after.maybe_sent_since) after.maybe_sent_since = batch.maybe_sent_since;
    after.not_before.reset();
    if (after.opted_out_at && s.has(Conjunct::skip_stale_opted_out)) {
      after.not_before = s.now();
    } else {
      end_stale(s, after);
      ++ended;
    }
    s.change(*latest, after);
  }
  return ended;
}

std::optional<DbTime> next_lease_end(const Statement& s) {
  std::optional<DbTime> wake;
  const auto keep = [&](DbTime time) { wake = std::min(wake.value_or(time), time); };
  for (const std::int32_t at : s.seen().claim_order()) {
    const BatchRow& batch = s.seen().batches()[static_cast<std::size_t>(at)];
    if (batch.state != BatchRow::State::done) keep(batch.lease_until.value_or(s.now()));
  }
  for (const RetryPool::Entry& entry : s.seen().retry_pool()) {
    const MemberRow& row = *s.seen().member(entry.member);
    if (row.eligible()) keep(row.retry_lease_until.value_or(s.now()));
  }
  return wake;
}

}  // namespace

core::Skipped skip_stale(Statement& s) {
  core::Skipped skipped;
  skipped.halted = s.seen().campaign.paused;
  std::vector<BatchRow> batches;
  std::vector<MemberRow> retries;
  if (is_over(s)) batches = picked_batches(s);
  if (s.stopped()) return skipped;
  if (is_over(s)) retries = picked_retries(s);
  if (s.stopped()) return skipped;
  skipped.taken = std::ssize(batches) + std::ssize(retries);
  if (skipped.taken == 0) skipped.wake = next_lease_end(s);
  for (const BatchRow& batch : batches) {
    skipped.members += skip_members(s, batch);
    if (s.stopped()) return skipped;
  }
  for (const MemberRow& row : retries) {
    MemberRow after = row;
    after.not_before.reset();
    after.retry_token.reset();
    after.retry_lease_until.reset();
    end_stale(s, after);
    s.change(row, after);
    ++skipped.members;
  }
  for (const BatchRow& batch : batches) {
    BatchRow after = batch;
    after.state = BatchRow::State::done;
    after.lease_until.reset();
    after.maybe_sent_since.reset();
    if (batch.state == BatchRow::State::leased && s.has(Conjunct::skip_stale_clear_token))
      after.token.reset();
    s.change(batch, after);
  }
  return skipped;
}

}  // namespace sim
