#include "sim/pg/draw_request.h"

#include <algorithm>
#include <utility>

namespace sim::pg {

using core::DbTime;
using core::Duration;
using core::MemberId;
using core::RowState;
using core::Token;

Requests::Requests(std::uint64_t seed, core::Policy policy, bool ascending)
    : rng_(seed), policy_(policy), ascending_(ascending) {}

MemberId Requests::member(const ModelDatabase& model) {
  return MemberId(static_cast<std::int64_t>(pick(model.members().size())) + 1);
}

// One of the last few.
const Requests::Claim* Requests::claim(bool retries) {
  std::vector<const Claim*> fitting;
  for (std::size_t i = claims_.size(); i-- > 0 && fitting.size() < 4;) {
    if (claims_[i].retries == retries) fitting.push_back(&claims_[i]);
  }
  return fitting.empty() ? nullptr : fitting[pick(fitting.size())];
}

Token Requests::token(bool retries) {
  const Claim* of = chance(85) ? claim(retries) : nullptr;
  return of != nullptr ? of->token : fresh();
}

// Ascending, as claims give them; now and then one that isn't the claim's.
std::vector<MemberId> Requests::some_of(const Claim& claim, const ModelDatabase& model) {
  std::vector<MemberId> members;
  const bool all = chance(35);
  for (const MemberId id : claim.members) {
    if (all || chance(55)) members.push_back(id);
  }
  if (chance(10)) members.push_back(member(model));
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (!ascending_ && members.size() > 1) members = {members[pick(members.size())]};
  return members;
}

core::Outcome Requests::outcome(MemberId member, DbTime now) {
  core::Outcome outcome;
  outcome.member = member;
  outcome.attempts = static_cast<int>(pick(6));
  outcome.expired_claims = static_cast<int>(pick(4));
  outcome.doubt = chance(50);
  const std::uint64_t fate = pick(10);
  if (fate < 1) outcome.state = RowState::failed;
  if (fate == 1) outcome.state = RowState::unknown;
  if (outcome.state != RowState::pending) outcome.reason = "drawn";
  if (outcome.state != RowState::pending || chance(30)) return outcome;
  for (;;) {  // a full second that no other member is due at
    const Duration delay = std::chrono::seconds(pick(15 + dues_.size()));
    const DbTime due(std::chrono::floor<std::chrono::seconds>((now + delay).time_since_epoch()));
    if (std::find(dues_.begin(), dues_.end(), due) != dues_.end()) continue;
    dues_.push_back(due);
    outcome.delay = delay;
    return outcome;
  }
}

core::ClaimRetries Requests::claim_retries() {
  return {fresh(), ties_ ? 100 : static_cast<std::int64_t>(pick(3)) + 1, chance(30)};
}

core::Recheck Requests::recheck(const ModelDatabase& model) {
  core::Recheck recheck;
  for (const MemberRow& row : model.members()) {
    if (chance(60)) recheck.members.push_back(row.id);
  }
  for (std::uint64_t i = pick(3); i > 0; --i) recheck.retry_tokens.push_back(token(true));
  return recheck;
}

core::StoreCommand Requests::record(const ModelDatabase& model, DbTime now, bool retries) {
  const Claim* of = claim(retries);
  if (of == nullptr) return core::CountTotals{};
  core::RecordBatch batch;
  for (const MemberId id : some_of(*of, model)) {
    if (chance(45)) {
      batch.sent.push_back(id);
    } else {
      batch.others.push_back(outcome(id, now));
    }
  }
  batch.token = chance(90) ? of->token : token(retries);
  if (retries) return core::RecordRetries{batch.token, batch.sent, batch.others};
  batch.batch = of->batch;
  batch.ends = chance(45);
  batch.keep_doubt = chance(50);
  return batch;
}

core::StoreCommand Requests::command(const ModelDatabase& model, DbTime now) {
  const int version = model.campaign().plan_version - (chance(10) ? 1 : 0);
  const std::uint64_t what = pick(100);
  if (version <= 0 && what < 60) return core::Plan{version};
  if (what < 18) return core::ClaimBatch{fresh()};
  if (what < 33) return claim_retries();
  if (what < 41) {
    const bool retries = chance(40);
    return core::ReadBack{token(retries), retries};
  }
  if (what < 46) return core::ReserveSlots{static_cast<std::int64_t>(pick(4)) + 1};
  if (what < 55) return recheck(model);
  if (what < 75) return record(model, now, false);
  if (what < 86) return record(model, now, true);
  if (what < 89) return core::Pause{Duration(static_cast<std::int64_t>(pick(3'000'000)))};
  if (what < 93) return core::Sweep{version};
  if (what < 97) return core::Plan{version};
  return core::CountTotals{};
}

// Whoever fits, or anybody.
MemberId Requests::member_who(const ModelDatabase& model, const auto& fits) {
  std::vector<MemberId> fitting;
  for (const MemberRow& row : model.members()) {
    if (fits(row)) fitting.push_back(row.id);
  }
  return fitting.empty() || chance(15) ? member(model) : fitting[pick(fitting.size())];
}

Bystander Requests::bystander(const ModelDatabase& model) {
  const auto open = [](const MemberRow& row) { return row.state == RowState::pending; };
  const std::uint64_t what = pick(14);
  if (what < 5) return OptOut{member_who(model, open)};
  if (what < 8) {
    return WithdrawOptOut{
        member_who(model, [](const MemberRow& row) { return row.opted_out_at.has_value(); })};
  }
  if (what < 10) return Suppress{member_who(model, open)};
  if (what < 12) return RetryNow{member_who(model, open)};
  return PauseCampaign{!model.campaign().paused && chance(60)};
}

// What goes on once all batches are done.
ModelDatabase::Request Requests::late(const ModelDatabase& model) {
  const auto loose = [](const MemberRow& row) { return row.eligible() && !row.not_before; };
  const std::uint64_t what = pick(10);
  if (what < 4) return core::StoreCommand(core::Sweep{model.campaign().plan_version});
  if (what < 5) return Bystander(RetryNow{member_who(model, loose)});
  if (what < 6) return Bystander(Suppress{member_who(model, loose)});
  return bystander(model);
}

ModelDatabase::Request Requests::draw(const ModelDatabase& model, DbTime now) {
  const auto& batches = model.batches();
  const bool all_done = std::all_of(batches.begin(), batches.end(), [](const BatchRow& row) {
    return row.state == BatchRow::State::done;
  });
  if (all_done && !batches.empty() && chance(50)) return late(model);
  if (chance(batches.empty() ? 30 : 16)) return bystander(model);
  return command(model, now);
}

void Requests::heard(const ModelDatabase::Request& request, const core::StoreAnswer& answer) {
  if (const auto* swept = std::get_if<core::Swept>(&answer.result); swept && swept->moved > 1)
    ties_ = true;
  const auto* claimed = std::get_if<core::Claimed>(&answer.result);
  if (claimed == nullptr || !claimed->found) return;
  Claim claim;
  claim.batch = claimed->batch;
  for (const auto& member : claimed->members) claim.members.push_back(member.id);
  const auto& command = std::get<core::StoreCommand>(request);
  if (const auto* batch = std::get_if<core::ClaimBatch>(&command)) {
    claim.token = batch->token;
  } else if (const auto* retries = std::get_if<core::ClaimRetries>(&command)) {
    claim.token = retries->token;
    claim.retries = true;
  } else {
    return;
  }
  claims_.push_back(std::move(claim));
}

}  // namespace sim::pg
