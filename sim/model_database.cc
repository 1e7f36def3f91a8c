#include "sim/model_database.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"

namespace sim {

using core::Claimed;
using core::DbTime;
using core::Duration;
using core::MemberId;
using core::RowState;

ModelDatabase::ModelDatabase(const core::Policy& policy, std::int64_t members) : policy_(policy) {
  members_.resize(static_cast<std::size_t>(members));
  for (std::int64_t id = 1; id <= members; ++id) row(MemberId(id)).id = MemberId(id);
}

MemberRow& ModelDatabase::row(MemberId id) {
  return members_.at(static_cast<std::size_t>(core::number(id) - 1));
}

bool ModelDatabase::all_batches_done() const {
  return std::all_of(batches_.begin(), batches_.end(),
                     [](const BatchRow& b) { return b.state == BatchRow::State::done; });
}

core::Planned ModelDatabase::plan(const core::Plan& plan) {
  if (plan.plan_version != plan_version_ || !all_batches_done()) return {false, plan_version_};
  std::vector<MemberId> open;
  for (const MemberRow& member : members_) {
    if (member.eligible() && !member.not_before) open.push_back(member.id);
  }
  const auto size = static_cast<std::size_t>(policy_.batch);
  for (std::size_t at = 0; at < open.size(); at += size) {
    BatchRow batch;
    batch.id = core::BatchId(static_cast<std::int64_t>(batches_.size()) + 1);
    batch.first = open[at];
    batch.last = open[std::min(at + size, open.size()) - 1];
    batches_.push_back(batch);
  }
  return {true, ++plan_version_};
}

Claimed ModelDatabase::claimed(const BatchRow& batch) const {
  Claimed result;
  result.found = true;
  result.batch = batch.id;
  result.since = *batch.maybe_sent_since;
  result.expired_claims = batch.expired_claims;
  for (const MemberRow& member : members_) {
    if (member.id < batch.first || member.id > batch.last || !member.eligible() ||
        member.not_before)
      continue;
    if (static_cast<std::int64_t>(result.members.size()) == policy_.batch) break;
    result.members.push_back({member.id, member.attempts, 0, result.since, true});
  }
  return result;
}

Claimed ModelDatabase::claim(const core::ClaimBatch& claim, DbTime now) {
  std::optional<DbTime> wake;
  for (BatchRow& batch : batches_) {
    if (batch.state == BatchRow::State::done) continue;
    const bool expired = batch.state == BatchRow::State::leased && *batch.lease_until <= now;
    if (batch.state == BatchRow::State::leased && !expired) {
      wake = std::min(wake.value_or(*batch.lease_until), *batch.lease_until);
      continue;
    }
    batch.expired_claims += expired ? 1 : 0;
    batch.state = BatchRow::State::leased;
    batch.token = claim.token;
    batch.lease_until = now + policy_.lease;
    if (!batch.maybe_sent_since) batch.maybe_sent_since = now;
    return claimed(batch);
  }
  Claimed nothing;
  nothing.wake = wake;
  return nothing;
}

Claimed ModelDatabase::claim(const core::ClaimRetries& claim, DbTime now) {
  Claimed result;
  std::vector<MemberRow*> due;
  std::optional<DbTime> wake;
  for (MemberRow& member : members_) {
    if (!member.eligible() || !member.not_before) continue;
    const DbTime free_at = member.retry_lease_until.value_or(*member.not_before);
    if (*member.not_before > now || free_at > now) {
      const DbTime at = std::max(*member.not_before, free_at);
      wake = std::min(wake.value_or(at), at);
    } else if ((member.expired_claims >= policy_.suspect_after) == claim.suspects) {
      due.push_back(&member);
    } else {
      wake = std::min(wake.value_or(now), now);
    }
  }
  std::sort(due.begin(), due.end(), [](const MemberRow* a, const MemberRow* b) {
    return std::pair(*a->not_before, a->id) < std::pair(*b->not_before, b->id);
  });
  if (static_cast<std::int64_t>(due.size()) > claim.limit)
    due.resize(static_cast<std::size_t>(claim.limit));
  for (MemberRow* member : due) {
    member->expired_claims += member->retry_lease_until ? 1 : 0;
    member->retry_token = claim.token;
    member->retry_lease_until = now + policy_.lease;
    if (!member->maybe_sent_since) member->maybe_sent_since = now;
    result.members.push_back(
        {member->id, member->attempts, member->expired_claims, *member->maybe_sent_since, true});
  }
  result.found = !result.members.empty();
  if (!result.found) result.wake = wake;
  return result;
}

Claimed ModelDatabase::read_back(const core::ReadBack& read_back) const {
  if (!read_back.retries) {
    for (const BatchRow& batch : batches_) {
      if (batch.token == read_back.token && batch.state == BatchRow::State::leased)
        return claimed(batch);
    }
    return {};
  }
  Claimed result;
  for (const MemberRow& member : members_) {
    if (!member.eligible() || !member.not_before || member.retry_token != read_back.token) continue;
    result.members.push_back(
        {member.id, member.attempts, member.expired_claims, *member.maybe_sent_since, true});
  }
  result.found = !result.members.empty();
  return result;
}

core::SlotsReserved ModelDatabase::reserve(const core::ReserveSlots& reserve, DbTime now) {
  core::SlotsReserved slots;
  if (paused_until_ > now) {
    slots.paused_until = paused_until_;
    return slots;
  }
  const std::int64_t interval_us = 1'000'000 / std::max<std::int64_t>(policy_.rate_per_s, 1);
  slots.count = reserve.count;
  slots.interval =
      Duration((interval_us * 1000 + policy_.pace_permille - 1) / policy_.pace_permille);
  slots.first = std::max(tat_, now);
  tat_ = slots.first + reserve.count * slots.interval;
  return slots;
}

core::Rechecked ModelDatabase::recheck(const core::Recheck& recheck, DbTime now) const {
  core::Rechecked result;
  if (paused_until_ > now) result.paused_until = paused_until_;
  for (const MemberId id : recheck.members) {
    const MemberRow& member = members_.at(static_cast<std::size_t>(core::number(id) - 1));
    const auto& tokens = recheck.retry_tokens;
    const bool ours = member.retry_token &&
                      std::find(tokens.begin(), tokens.end(), *member.retry_token) != tokens.end();
    if (!member.eligible() || (member.not_before && !ours)) result.held_back.push_back(id);
  }
  return result;
}

void ModelDatabase::write(MemberRow& member, const core::Outcome& outcome, DbTime now,
                          std::optional<DbTime> since) {
  member.state = outcome.state;
  member.attempts = outcome.attempts;
  member.expired_claims = outcome.expired_claims;
  if (outcome.state != RowState::pending) {
    member.not_before.reset();
  } else if (outcome.delay) {
    const auto due = now + *outcome.delay;
    member.not_before =
        DbTime(due.time_since_epoch() / core::Duration(1'000'000) * core::Duration(1'000'000)) +
        core::Duration(1'000'000);
  }
  if (outcome.doubt || outcome.state == RowState::unknown) {
    if (!member.maybe_sent_since) member.maybe_sent_since = since;
  } else {
    member.maybe_sent_since.reset();
  }
}

core::Recorded ModelDatabase::record(const core::RecordBatch& record, DbTime now) {
  const auto batch = std::find_if(batches_.begin(), batches_.end(),
                                  [&](const BatchRow& b) { return b.id == record.batch; });
  ASSERT(batch != batches_.end());
  if (batch->token != record.token) return {core::RecordVerdict::stale, 0};
  if (batch->state != BatchRow::State::leased) return {core::RecordVerdict::already, 0};
  core::Recorded result;
  const auto in_batch = [](const MemberRow& m) {
    return m.state == RowState::pending && !m.not_before;
  };
  for (const MemberId id : record.sent) {
    MemberRow& member = row(id);
    if (!in_batch(member)) continue;
    member.state = RowState::sent;
    ++result.changed;
  }
  for (const core::Outcome& outcome : record.others) {
    MemberRow& member = row(outcome.member);
    if (!in_batch(member)) continue;
    write(member, outcome, now, batch->maybe_sent_since);
    ++result.changed;
  }
  if (!record.ends) return result;
  const bool left_open = std::any_of(members_.begin(), members_.end(), [&](const MemberRow& m) {
    return m.id >= batch->first && m.id <= batch->last && m.eligible() && !m.not_before;
  });
  batch->state = left_open ? BatchRow::State::open : BatchRow::State::done;
  batch->lease_until.reset();
  if (!left_open || !record.keep_doubt) batch->maybe_sent_since.reset();
  return result;
}

core::Recorded ModelDatabase::record(const core::RecordRetries& record, DbTime now) {
  core::Recorded result;
  const auto ours = [&](const MemberRow& m) {
    return m.state == RowState::pending && m.retry_token == record.token;
  };
  for (const MemberId id : record.sent) {
    MemberRow& member = row(id);
    if (!ours(member)) continue;
    member.state = RowState::sent;
    member.not_before.reset();
    member.retry_token.reset();
    member.retry_lease_until.reset();
    ++result.changed;
  }
  for (const core::Outcome& outcome : record.others) {
    MemberRow& member = row(outcome.member);
    if (!ours(member)) continue;
    write(member, outcome, now, member.maybe_sent_since);
    member.retry_token.reset();
    member.retry_lease_until.reset();
    ++result.changed;
  }
  const bool asked = !record.sent.empty() || !record.others.empty();
  if (asked && result.changed == 0) result.verdict = core::RecordVerdict::stale;
  return result;
}

core::Swept ModelDatabase::sweep(const core::Sweep& sweep, DbTime now) {
  if (sweep.plan_version != plan_version_ || !all_batches_done())
    return {false, plan_version_, 0, 0};
  core::Swept result{true, plan_version_, 0, 0};
  for (const MemberRow& member : members_)
    result.loose += member.eligible() && !member.not_before ? 1 : 0;
  if (result.loose >= policy_.batch) return result;
  for (MemberRow& member : members_) {
    if (!member.eligible() || member.not_before) continue;
    member.not_before = now;
    ++result.moved;
  }
  return result;
}

core::Totals ModelDatabase::totals() const {
  core::Totals totals;
  for (const MemberRow& member : members_) {
    ++totals.total;
    switch (member.state) {
      case RowState::sent:
        ++totals.sent;
        break;
      case RowState::failed:
        ++totals.failed;
        break;
      case RowState::unknown:
        ++totals.unknown;
        break;
      case RowState::skipped:
        ++totals.skipped;
        break;
      case RowState::pending:
        ++(member.opted_out_at ? totals.opted_out : totals.remaining);
        break;
    }
  }
  return totals;
}

core::StoreAnswer ModelDatabase::execute(const core::StoreCommand& command, DbTime now) {
  struct Executor {
    ModelDatabase& self;
    DbTime now;
    using Result = decltype(core::StoreAnswer::result);
    Result operator()(const core::Plan& c) const { return self.plan(c); }
    Result operator()(const core::ClaimBatch& c) const { return self.claim(c, now); }
    Result operator()(const core::ClaimRetries& c) const { return self.claim(c, now); }
    Result operator()(const core::ReadBack& c) const { return self.read_back(c); }
    Result operator()(const core::ReserveSlots& c) const { return self.reserve(c, now); }
    Result operator()(const core::Recheck& c) const { return self.recheck(c, now); }
    Result operator()(const core::RecordBatch& c) const { return self.record(c, now); }
    Result operator()(const core::RecordRetries& c) const { return self.record(c, now); }
    Result operator()(const core::Pause& c) const {
      self.paused_until_ = std::max(self.paused_until_, now + c.length);
      return core::Paused{self.paused_until_};
    }
    Result operator()(const core::Sweep& c) const { return self.sweep(c, now); }
    Result operator()(const core::CountTotals&) const { return self.totals(); }
  };
  core::StoreAnswer answer;
  answer.db_now = now;
  answer.result = std::visit(Executor{*this, now}, command);
  return answer;
}

}  // namespace sim
