#include "sim/pg/draw_request.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sim::pg {

using core::DbTime;
using core::Duration;
using core::MemberId;
using core::RowState;
using core::Token;

Requests::Requests(std::uint64_t seed, core::Policy policy, bool ascending)
    : rng_(seed), policy_(policy), ascending_(ascending) {
  for (int& weight : weights_) weight *= std::array{1, 2, 2, 6}[pick(4)];
  weights_.back() += 1;
}

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
  const bool all = chance(45);
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
  if (outcome.state != RowState::pending || chance(40)) return outcome;
  for (;;) {  // a full second that no other member is due at
    const Duration delay = std::chrono::seconds(pick(15 + dues_.size()));
    const DbTime due(std::chrono::floor<std::chrono::seconds>((now + delay).time_since_epoch()));
    if (std::find(dues_.begin(), dues_.end(), due) != dues_.end()) continue;
    dues_.push_back(due);
    outcome.delay = delay;
    return outcome;
  }
}

core::Recheck Requests::recheck_some(const ModelDatabase& model) {
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
  if (chance(10)) {  // the batch opens again with a member in doubt
    core::Outcome released;
    released.member = of->members.empty() ? member(model) : of->members.front();
    released.doubt = true;
    return core::RecordBatch{of->batch, of->token, {}, {released}, true, false};
  }
  batch.ends = chance(50);
  batch.keep_doubt = chance(50);
  return batch;
}

core::StoreCommand Requests::command(const ModelDatabase& model, DbTime now) {
  const int version = model.campaign().plan_version - (chance(10) ? 1 : 0);
  if (model.campaign().not_after && chance(12)) return core::SkipStale{};
  if (version <= 0 && chance(60)) return core::Plan{version};
  switch (kind()) {
    case Kind::claim_batch:
      return core::ClaimBatch{fresh()};
    case Kind::claim_retries:
      return core::ClaimRetries{fresh(), ties_ ? 100 : static_cast<std::int64_t>(pick(3)) + 1,
                                chance(30)};
    case Kind::read_back_batch:
      return core::ReadBack{token(false), false};
    case Kind::read_back_retries:
      return core::ReadBack{token(true), true};
    case Kind::reserve_slots:
      return core::ReserveSlots{static_cast<std::int64_t>(pick(4)) + 1};
    case Kind::recheck:
      return recheck_some(model);
    case Kind::record_batch:
      return record(model, now, false);
    case Kind::record_retries:
      return record(model, now, true);
    case Kind::pause:
      return core::Pause{Duration(static_cast<std::int64_t>(pick(3'000'000)))};
    case Kind::sweep:
      return core::Sweep{version};
    case Kind::plan:
      return core::Plan{version};
    case Kind::totals:
    case Kind::kinds:
      break;
  }
  return core::CountTotals{};
}

Requests::Kind Requests::kind() {
  int sum = 0;
  for (const int weight : weights_) sum += weight;
  int at = static_cast<int>(pick(static_cast<std::uint64_t>(sum)));
  std::size_t drawn = 0;
  while (at >= weights_[drawn]) at -= weights_[drawn++];
  return static_cast<Kind>(drawn);
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
  if (model.campaign().plan_version == 0 && chance(70)) return OptOut{member(model)};
  const std::uint64_t what = pick(15);
  if (what < 2) {
    return OptOut{
        member_who(model, [](const MemberRow& row) { return row.retry_token.has_value(); })};
  }
  if (what < 5) return OptOut{member_who(model, open)};
  if (what < 9) {
    return WithdrawOptOut{
        member_who(model, [](const MemberRow& row) { return row.opted_out_at.has_value(); })};
  }
  if (what < 11) return Suppress{member_who(model, open)};
  if (what < 13) return RetryNow{member_who(model, open)};
  return PauseCampaign{!model.campaign().paused && chance(60)};
}

// What goes on once all batches are done.
ModelDatabase::Request Requests::late(const ModelDatabase& model) {
  const auto loose = [](const MemberRow& row) { return row.eligible() && !row.not_before; };
  const auto& members = model.members();
  const bool none = std::none_of(members.begin(), members.end(), loose);
  const std::uint64_t what = pick(10);
  if (what < 4 && !none) return core::StoreCommand(core::Sweep{model.campaign().plan_version});
  if (what < 6 && !none) return Bystander(RetryNow{member_who(model, loose)});
  if (what < 8 && !none) return Bystander(Suppress{member_who(model, loose)});
  return bystander(model);
}

ModelDatabase::Request Requests::draw(const ModelDatabase& model, DbTime now) {
  const bool begun = model.campaign().plan_version > 0;
  if (begun && model.all_done() && chance(50)) return late(model);
  if (chance(begun ? 16 : 50)) return bystander(model);
  if (!records_.empty() && chance(6)) return records_[pick(records_.size())];
  return command(model, now);
}

void Requests::heard(const ModelDatabase::Request& request, const core::StoreAnswer& answer) {
  const bool recorded = std::holds_alternative<core::Recorded>(answer.result);
  if (recorded) records_.push_back(request);
  if (records_.size() > 3) records_.erase(records_.begin());
  if (const auto* swept = std::get_if<core::Swept>(&answer.result); swept && swept->moved > 1)
    ties_ = true;
  if (std::holds_alternative<core::Skipped>(answer.result)) ties_ = true;  // who has opted out
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
