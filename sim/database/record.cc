#include <algorithm>

#include "sim/database/statements.h"

namespace sim {
namespace {

using core::DbTime;
using core::MemberId;
using core::Outcome;
using core::RowState;

DbTime due(DbTime now, core::Duration delay, bool full_second) {
  constexpr core::Duration second(1'000'000);
  const DbTime at = now + delay;
  return full_second ? DbTime(at.time_since_epoch() / second * second) + second : at;
}

// The SET items that both record statements have in common.
MemberRow recorded(const MemberRow& row, const Outcome& outcome) {
  MemberRow after = row;
  after.state = outcome.state;
  after.attempts = outcome.attempts;
  after.expired_claims = outcome.expired_claims;
  return after;
}

bool is_doubtful(const Outcome& outcome) {
  return outcome.doubt || outcome.state == RowState::unknown;
}

// Locks the row if the snapshot's version fits, and checks the latest. nullptr: not to be changed.
const MemberRow* locked_if(Statement& s, MemberId id, const auto& fits) {
  const MemberRow* row = s.seen().member(id);
  if (row == nullptr || !fits(*row)) return nullptr;
  row = s.lock(id);
  return row != nullptr && fits(*row) ? row : nullptr;
}

std::int64_t record_batch_members(Statement& s, const core::RecordBatch& record,
                                  const std::optional<DbTime>& since) {
  std::int64_t changed = 0;
  const auto sent_fits = [&](const MemberRow& row) {
    return (row.state == RowState::pending || !s.has(Conjunct::record_batch_sent_pending)) &&
           (!row.not_before || !s.has(Conjunct::record_batch_sent_not_in_pool));
  };
  for (const MemberId id : record.sent) {
    const MemberRow* row = locked_if(s, id, sent_fits);
    if (s.stopped()) return 0;
    if (row == nullptr) continue;
    MemberRow after = *row;
    after.state = RowState::sent;
    s.change(*row, after);
    ++changed;
  }
  const auto other_fits = [&](const MemberRow& row) {
    return (row.state == RowState::pending || !s.has(Conjunct::record_batch_other_pending)) &&
           (!row.not_before || !s.has(Conjunct::record_batch_other_not_in_pool));
  };
  const bool full_second = s.has(Conjunct::record_batch_full_second);
  for (const Outcome& outcome : record.others) {
    const MemberRow* row = locked_if(s, outcome.member, other_fits);
    if (s.stopped()) return 0;
    if (row == nullptr) continue;
    MemberRow after = recorded(*row, outcome);
    after.not_before.reset();
    if (outcome.state == RowState::pending && outcome.delay)
      after.not_before = due(s.now(), *outcome.delay, full_second);
    if (!is_doubtful(outcome) && s.has(Conjunct::record_batch_doubt)) {
      after.maybe_sent_since.reset();
    } else if (!after.maybe_sent_since || !s.has(Conjunct::record_batch_first_since)) {
      after.maybe_sent_since = since;
    }
    s.change(*row, after);
    ++changed;
  }
  return changed;
}

std::vector<MemberId> written_by(const core::RecordBatch& record) {
  std::vector<MemberId> written;
  written.reserve(record.sent.size() + record.others.size());
  written = record.sent;
  for (const Outcome& outcome : record.others) written.push_back(outcome.member);
  std::sort(written.begin(), written.end());
  return written;
}

// Whether somebody of the batch is open whom this record doesn't write.
bool is_open(const Statement& s, const core::RecordBatch& record, const BatchRow& batch) {
  std::vector<MemberId> written;
  if (s.has(Conjunct::record_batch_rest_written)) written = written_by(record);
  bool open = false;
  const auto visit = [&](const MemberRow& row) {
    open = (row.state == RowState::pending || !s.has(Conjunct::record_batch_rest_pending)) &&
           (!row.not_before || !s.has(Conjunct::record_batch_rest_not_in_pool)) &&
           (!row.opted_out_at || !s.has(Conjunct::record_batch_rest_opted_out)) &&
           !std::binary_search(written.begin(), written.end(), row.id);
    return !open;
  };
  if (s.has(Conjunct::record_batch_rest_priority)) {
    s.seen().each_in(batch, visit);
    return open;
  }
  for (std::int64_t id = core::number(batch.first); id <= core::number(batch.last); ++id) {
    const MemberRow* row = s.seen().member(MemberId(id));
    if (row == nullptr || !visit(*row)) break;
  }
  return open;
}

// Those of the batch who have opted out, by the snapshot: whoever else is pending keeps it open.
void keep_their_doubt(Statement& s, const core::RecordBatch& record, const BatchRow& fence) {
  const auto fits = [](const MemberRow& row) {
    return row.state == RowState::pending && !row.not_before;
  };
  const std::vector<MemberId> written = written_by(record);
  std::vector<MemberId> members;
  s.seen().each_in(fence, [&](const MemberRow& row) {
    if (fits(row) && !std::binary_search(written.begin(), written.end(), row.id))
      members.push_back(row.id);
    return true;
  });
  for (const MemberId id : members) {
    const MemberRow* row = locked_if(s, id, fits);
    if (s.stopped()) return;
    if (row == nullptr) continue;
    MemberRow after = *row;
    after.not_before = s.now();
    if (!after.maybe_sent_since) after.maybe_sent_since = fence.maybe_sent_since;
    s.change(*row, after);
  }
}

void end_claim(Statement& s, const core::RecordBatch& record, const BatchRow& fence) {
  const bool open = is_open(s, record, fence);
  const BatchRow* row = s.lock(fence.id);
  if (s.stopped()) return;
  BatchRow after = *row;
  after.state = open ? BatchRow::State::open : BatchRow::State::done;
  after.lease_until.reset();
  const bool keep = record.keep_doubt || !s.has(Conjunct::record_batch_keep_doubt);
  if (!open || !keep) after.maybe_sent_since.reset();
  s.change(*row, after);
  if (!open && record.keep_doubt && s.has(Conjunct::record_batch_doubted))
    keep_their_doubt(s, record, fence);
}

}  // namespace

core::Recorded record_batch(Statement& s, const core::RecordBatch& record) {
  const auto fits = [&](const BatchRow& batch) {
    return (batch.token == record.token || !s.has(Conjunct::record_batch_token)) &&
           (batch.state == BatchRow::State::leased || !s.has(Conjunct::record_batch_leased));
  };
  const BatchRow* const seen = s.seen().batch(record.batch);
  const BatchRow* fence = seen;
  if (fence != nullptr && fits(*fence) && s.has(Conjunct::record_batch_lock))
    fence = s.lock(fence->id);
  if (s.stopped()) return {};
  if (fence != nullptr && !fits(*fence)) fence = nullptr;

  core::Recorded result;
  if (fence == nullptr) {
    const bool was_ours =
        seen != nullptr && seen->token == record.token && seen->state != BatchRow::State::leased;
    result.verdict = was_ours ? core::RecordVerdict::already : core::RecordVerdict::stale;
  }
  if (fence != nullptr || !s.has(Conjunct::record_batch_fenced)) {
    const auto since = fence != nullptr ? fence->maybe_sent_since : std::nullopt;
    result.changed = record_batch_members(s, record, since);
  }
  if (s.stopped() || fence == nullptr) return result;
  if (record.ends || !s.has(Conjunct::record_batch_ends)) end_claim(s, record, *fence);
  return result;
}

core::Recorded record_retries(Statement& s, const core::RecordRetries& record) {
  core::Recorded result;
  const auto fits = [&](const MemberRow& row) {
    return row.state == RowState::pending &&
           (row.retry_token == record.token || !s.has(Conjunct::record_retries_token));
  };
  const auto end = [&](const MemberRow& before, MemberRow after) {
    if (s.has(Conjunct::record_retries_clear_token)) after.retry_token.reset();
    after.retry_lease_until.reset();
    s.change(before, after);
    ++result.changed;
  };
  for (const MemberId id : record.sent) {
    const MemberRow* row = locked_if(s, id, fits);
    if (s.stopped()) return {};
    if (row == nullptr) continue;
    MemberRow after = *row;
    after.state = RowState::sent;
    after.not_before.reset();
    end(*row, after);
  }
  for (const Outcome& outcome : record.others) {
    const MemberRow* row = locked_if(s, outcome.member, fits);
    if (s.stopped()) return {};
    if (row == nullptr) continue;
    MemberRow after = recorded(*row, outcome);
    if (outcome.state != RowState::pending ||
        (!outcome.delay && !s.has(Conjunct::record_retries_due_as_before))) {
      after.not_before.reset();
    } else if (outcome.delay) {
      after.not_before = due(s.now(), *outcome.delay, true);
    }
    if (!is_doubtful(outcome) && s.has(Conjunct::record_retries_doubt))
      after.maybe_sent_since.reset();
    end(*row, after);
  }
  const bool asked = !record.sent.empty() || !record.others.empty();
  if (asked && result.changed == 0 && s.has(Conjunct::record_retries_stale))
    result.verdict = core::RecordVerdict::stale;
  return result;
}

}  // namespace sim
