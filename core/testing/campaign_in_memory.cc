#include "core/testing/campaign_in_memory.h"

#include <algorithm>

namespace core::testing {

CampaignInMemory::CampaignInMemory(const Policy& policy, std::int64_t count) : policy_(policy) {
  for (std::int64_t id = 1; id <= count; ++id) members[MemberId(id)];
}

std::int64_t CampaignInMemory::count(RowState state) const {
  return std::count_if(members.begin(), members.end(),
                       [state](const auto& m) { return m.second.state == state; });
}

std::int64_t CampaignInMemory::attempts() const {
  std::int64_t sum = 0;
  for (const auto& [id, member] : members) sum += member.attempts;
  return sum;
}

bool CampaignInMemory::all_done() const {
  return std::all_of(batches.begin(), batches.end(),
                     [](const auto& b) { return b.second.state == Batch::done; });
}

void CampaignInMemory::apply(const Outcome& outcome, bool retries) {
  Member& member = members.at(outcome.member);
  member.state = outcome.state;
  member.reason = outcome.reason;
  member.attempts = outcome.attempts;
  member.expired_claims = outcome.expired_claims;
  if (!outcome.doubt) member.since.reset();
  if (outcome.doubt && !member.since) member.since = now;
  if (outcome.state != RowState::pending) {
    member.not_before.reset();
  } else if (outcome.delay || !retries) {
    member.not_before = now + outcome.delay.value_or(Duration(0));
  }
}

struct CampaignInMemory::Run {
  CampaignInMemory& self;

  using Result = decltype(StoreAnswer::result);

  static bool is_loose(const Member& member) {
    return member.state == RowState::pending && !member.not_before && !member.opted_out;
  }

  Result operator()(const Plan& plan) const {
    const bool mine = plan.plan_version == self.plan_version_ && self.all_done();
    if (mine) {
      ++self.plan_version_;
      Batch* batch = nullptr;
      for (const auto& [id, member] : self.members) {
        if (!is_loose(member)) continue;
        if (batch == nullptr ||
            static_cast<std::int64_t>(batch->members.size()) == self.policy_.batch) {
          batch = &self.batches[static_cast<std::int64_t>(self.batches.size()) + 1];
        }
        batch->members.push_back(id);
      }
    }
    return Planned{mine, self.plan_version_};
  }

  Claimed claimed(std::int64_t id, const Batch& batch) const {
    Claimed found{true, BatchId(id),          std::nullopt,       false,
                  {},   batch.expired_claims, batch.since.value()};
    for (const MemberId member : batch.members) {
      const Member& row = self.members.at(member);
      if (is_loose(row))
        found.members.push_back({member, row.attempts, 0, batch.since.value(), true});
    }
    return found;
  }

  Claimed nothing(std::optional<DbTime> wake) const {
    Claimed none;
    none.wake = wake;
    none.halted = self.halted;
    return none;
  }

  Result operator()(const ClaimBatch& claim) const {
    std::optional<DbTime> wake;
    for (auto& [id, batch] : self.batches) {
      if (batch.state == Batch::done) continue;
      const DbTime due = batch.state == Batch::leased ? batch.lease_until : self.now;
      wake = std::min(wake.value_or(due), due);
      if (due > self.now || self.halted) continue;
      batch.expired_claims += batch.state == Batch::leased ? 1 : 0;
      batch.state = Batch::leased;
      batch.token = claim.token;
      batch.lease_until = self.now + self.policy_.lease;
      if (!batch.since) batch.since = self.now;
      return claimed(id, batch);
    }
    return nothing(wake);
  }

  Claimed claimed_retries(Token token) const {
    Claimed found;
    for (const auto& [id, member] : self.members) {
      if (!member.not_before || member.token != token || member.opted_out) continue;
      found.found = true;
      found.members.push_back(
          {id, member.attempts, member.expired_claims, member.since.value(), true});
    }
    return found;
  }

  Result operator()(const ClaimRetries& claim) const {
    std::optional<DbTime> wake;
    std::int64_t taken = 0;
    for (auto& [id, member] : self.members) {
      if (!member.not_before || member.opted_out) continue;
      const DbTime due = std::max(*member.not_before, member.lease_until.value_or(DbTime{}));
      wake = std::min(wake.value_or(due), due);
      const bool suspect = member.expired_claims >= self.policy_.suspect_after;
      if (due > self.now || suspect != claim.suspects || taken == claim.limit || self.halted)
        continue;
      ++taken;
      member.expired_claims += member.lease_until ? 1 : 0;
      member.token = claim.token;
      member.lease_until = self.now + self.policy_.lease;
      if (!member.since) member.since = self.now;
    }
    return taken > 0 ? claimed_retries(claim.token) : nothing(wake);
  }

  Result operator()(const ReadBack& read_back) const {
    if (read_back.retries) return claimed_retries(read_back.token);
    for (const auto& [id, batch] : self.batches) {
      if (batch.state == Batch::leased && batch.token == read_back.token) return claimed(id, batch);
    }
    return Claimed{};
  }

  Result operator()(const ReserveSlots& reserve) const {
    if (self.paused_until > self.now) return SlotsReserved{0, {}, {}, self.paused_until};
    const Duration interval(1'000'000'000 / (self.policy_.rate_per_s * self.policy_.pace_permille));
    const DbTime first = std::max(self.next_slot, self.now);
    for (std::int64_t i = 0; i < reserve.count; ++i) self.slots.push_back(first + i * interval);
    self.next_slot = first + reserve.count * interval;
    return SlotsReserved{reserve.count, first, interval, std::nullopt};
  }

  Result operator()(const Recheck& recheck) const {
    Rechecked checked;
    checked.halted = self.halted;
    if (self.paused_until > self.now) checked.paused_until = self.paused_until;
    for (const MemberId id : recheck.members) {
      const Member& member = self.members.at(id);
      const auto& tokens = recheck.retry_tokens;
      const bool ours = !member.not_before ||
                        std::find(tokens.begin(), tokens.end(), member.token) != tokens.end();
      if (member.opted_out || member.state != RowState::pending || !ours)
        checked.held_back.push_back(id);
    }
    return checked;
  }

  std::int64_t sent(const std::vector<MemberId>& ids, const auto& is_ours) const {
    std::int64_t changed = 0;
    for (const MemberId id : ids) {
      Member& member = self.members.at(id);
      if (!is_ours(member)) continue;
      member.state = RowState::sent;
      member.not_before.reset();
      ++member.times_sent;
      ++changed;
    }
    return changed;
  }

  Result operator()(const RecordBatch& record) const {
    Batch& batch = self.batches.at(number(record.batch));
    if (batch.token != record.token) return Recorded{RecordVerdict::stale, 0};
    if (batch.state != Batch::leased) return Recorded{RecordVerdict::already, 0};
    const auto is_ours = [](const Member& member) {
      return member.state == RowState::pending && !member.not_before;
    };
    std::int64_t changed = sent(record.sent, is_ours);
    for (const Outcome& outcome : record.others) {
      if (!is_ours(self.members.at(outcome.member))) continue;
      self.apply(outcome, false);
      ++changed;
    }
    if (record.ends) {
      const bool open = std::any_of(batch.members.begin(), batch.members.end(),
                                    [&](MemberId id) { return is_loose(self.members.at(id)); });
      batch.state = open ? Batch::open : Batch::done;
      if (!open || !record.keep_doubt) batch.since.reset();
    }
    return Recorded{RecordVerdict::recorded, changed};
  }

  Result operator()(const RecordRetries& record) const {
    const auto is_ours = [&](const Member& member) {
      return member.state == RowState::pending && member.not_before && member.token == record.token;
    };
    std::int64_t changed = sent(record.sent, is_ours);
    for (const Outcome& outcome : record.others) {
      Member& member = self.members.at(outcome.member);
      if (!is_ours(member)) continue;
      self.apply(outcome, true);
      member.token = Token{};
      member.lease_until.reset();
      ++changed;
    }
    const bool stale = changed == 0 && !(record.sent.empty() && record.others.empty());
    return Recorded{stale ? RecordVerdict::stale : RecordVerdict::recorded, changed};
  }

  Result operator()(const Pause& pause) const {
    self.paused_until = std::max(self.paused_until, self.now + pause.length);
    return Paused{self.paused_until};
  }

  Result operator()(const Sweep& sweep) const {
    Swept swept{sweep.plan_version == self.plan_version_ && self.all_done(), self.plan_version_, 0,
                0};
    if (!swept.mine) return swept;
    for (const auto& [id, member] : self.members) swept.loose += is_loose(member) ? 1 : 0;
    if (swept.loose >= self.policy_.batch) return swept;
    for (auto& [id, member] : self.members) {
      if (!is_loose(member)) continue;
      member.not_before = self.now;
      ++swept.moved;
    }
    return swept;
  }

  Result operator()(const CountTotals&) const {
    Totals totals;
    totals.total = static_cast<std::int64_t>(self.members.size());
    totals.sent = self.count(RowState::sent);
    totals.failed = self.count(RowState::failed);
    totals.unknown = self.count(RowState::unknown);
    totals.skipped = self.count(RowState::skipped);
    for (const auto& [id, member] : self.members) {
      if (member.state == RowState::pending)
        ++(member.opted_out ? totals.opted_out : totals.remaining);
      if (member.state == RowState::skipped && member.reason == "stale") ++totals.stale;
    }
    return totals;
  }

  static void end_stale(Member& member, Skipped& skipped) {
    member.state = member.since ? RowState::unknown : RowState::skipped;
    member.reason = "stale";
    member.not_before.reset();
    ++skipped.members;
  }

  Result operator()(const SkipStale&) const {
    Skipped skipped;
    skipped.halted = self.halted;
    const bool over = self.not_after && *self.not_after <= self.now && !self.halted;
    const auto later = [&](DbTime time) {
      skipped.wake = std::min(skipped.wake.value_or(time), time);
    };
    for (auto& [id, batch] : self.batches) {
      if (batch.state == Batch::done) continue;
      const bool leased = batch.state == Batch::leased && batch.lease_until > self.now;
      if (leased || !over || skipped.taken == SkipStale::batches_most) {
        later(leased ? batch.lease_until : self.now);
        continue;
      }
      ++skipped.taken;
      for (const MemberId member_id : batch.members) {
        Member& member = self.members.at(member_id);
        if (!is_loose(member)) continue;
        if (!member.since) member.since = batch.since;
        end_stale(member, skipped);
      }
      batch.state = Batch::done;
      batch.token = Token{};
    }
    for (auto& [id, member] : self.members) {
      if (member.state != RowState::pending || !member.not_before || member.opted_out) continue;
      const bool leased = member.lease_until && *member.lease_until > self.now;
      if (leased || !over) {
        later(leased ? *member.lease_until : self.now);
        continue;
      }
      ++skipped.taken;
      end_stale(member, skipped);
    }
    if (skipped.taken > 0) skipped.wake.reset();
    return skipped;
  }
};

StoreReply CampaignInMemory::execute(const StoreCommand& command) {
  log.push_back(command);
  StoreReply reply;
  reply.answer.db_now = now;
  reply.answer.result = std::visit(Run{*this}, command);
  return reply;
}

}  // namespace core::testing
