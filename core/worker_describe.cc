// The worker's state as far as it decides what comes next.
#include "core/worker.h"

namespace core {
namespace {

void describe_optional(Digest& digest, const std::optional<Duration>& duration) {
  digest.add(duration ? duration->count() : std::int64_t{-1});
}

struct DescribeCommand {
  Digest& digest;

  void members(const std::vector<MemberId>& ids) const {
    digest.add(static_cast<std::uint64_t>(ids.size()));
    for (const MemberId id : ids) digest.add(id);
  }
  void outcomes(const std::vector<Outcome>& outcomes) const {
    digest.add(static_cast<std::uint64_t>(outcomes.size()));
    for (const Outcome& outcome : outcomes) {
      digest.add(outcome.member);
      digest.add(static_cast<int>(outcome.state));
      digest.add(outcome.attempts);
      describe_optional(digest, outcome.delay);
      digest.add(outcome.doubt);
      digest.add(outcome.expired_claims);
    }
  }

  void operator()(const Plan& plan) const { digest.add(plan.plan_version); }
  void operator()(const ClaimBatch& claim) const { digest.token(claim.token); }
  void operator()(const ClaimRetries& claim) const {
    digest.token(claim.token);
    digest.add(claim.limit);
    digest.add(claim.suspects);
  }
  void operator()(const ReadBack& read_back) const {
    digest.token(read_back.token);
    digest.add(read_back.retries);
  }
  void operator()(const ReserveSlots& reserve) const { digest.add(reserve.count); }
  void operator()(const Recheck& recheck) const { members(recheck.members); }
  void operator()(const RecordBatch& record) const {
    digest.add(number(record.batch));
    digest.token(record.token);
    members(record.sent);
    outcomes(record.others);
    digest.add(record.ends);
    digest.add(record.keep_doubt);
  }
  void operator()(const RecordRetries& record) const {
    digest.token(record.token);
    members(record.sent);
    outcomes(record.others);
  }
  void operator()(const Pause& pause) const { digest.add(pause.length.count()); }
  void operator()(const Sweep& sweep) const { digest.add(sweep.plan_version); }
  void operator()(const CountTotals&) const {}
  void operator()(const SkipStale&) const {}
};

}  // namespace

void describe(Digest& digest, const StoreCommand& command) {
  digest.add(static_cast<std::uint64_t>(command.index()));
  std::visit(DescribeCommand{digest}, command);
}

void Claim::describe(Digest& digest, const Policy& policy) const {
  digest.add(retries);
  digest.add(number(batch));
  digest.token(token);
  digest.due(stop_sending);
  digest.add(doubtful);
  digest.add(lost);
  digest.add(releasing);
  for (const ClaimMember& member : members_) {
    digest.add(member.member.id);
    digest.add(member.member.attempts);
    digest.add(member.member.expired_claims);
    digest.add(static_cast<int>(member.phase));
    digest.add(member.doubt);
    switch (member.phase) {
      case MemberPhase::open:
      case MemberPhase::flying:
      case MemberPhase::settled:
        break;
      case MemberPhase::checked:
        digest.age(member.at, policy.recheck_max_age);
        break;
      case MemberPhase::held:
        digest.age(member.at, Weather::undecided_max);
        [[fallthrough]];
      case MemberPhase::answered:
      case MemberPhase::recording:
        digest.age(member.at, policy.record_at_least_every);
        digest.add(static_cast<int>(member.fate));
        digest.add(static_cast<int>(member.kind));
        digest.add(member.started);
        digest.add(member.delay.count());
        break;
    }
  }
}

void Weather::describe(Digest& digest) const {
  if (digest.only_ahead()) {
    digest.add(last_.empty());
    digest.add(2 * static_cast<std::int64_t>(bad_) - std::ssize(last_));
    if (bad_ > 0 && suspect()) digest.age(bad_since_, span);
    return;
  }
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Seen& seen = last_[(next_ + i) % last_.size()];
    digest.add(number(seen.member) * 2 + (seen.bad ? 1 : 0));
  }
  if (bad_ > 0) digest.age(bad_since_, span);
}

void Worker::describe(Digest& digest) const {
  digest.add(static_cast<int>(phase_));
  digest.due(started_at_ + policy_.deadline);
  for (const Claim& claim : claims_) claim.describe(digest, policy_);
  digest.add(in_flight_);
  digest.add(started_unrecorded_);
  digest.due(last_start_ + policy_.min_interval);

  digest.add(store_busy_);
  digest.add(repeat_);
  if (store_busy_ || repeat_) {
    core::describe(digest, outstanding_);
    digest.add(was_in_doubt_);
    digest.age(outstanding_since_, policy_.batch_budget);
  }
  for (const Place& place : rechecking_) {
    if (store_busy_) digest.add(place.index);
  }
  digest.due(ask_again_at_);
  if (away_since_) digest.age(*away_since_, policy_.database_patience);

  for (const Look& look : looks_) {
    digest.due(look.at);
    digest.add(look.none);
    digest.add(look.again.count());
    digest.add(look.wake.has_value());
  }
  for (const Instant slot : slots_) digest.due(slot);
  digest.add(slot_interval_.count());
  if (rate_limited_) digest.add(database_clock_.ahead().count());
  digest.due(paused_until_);
  describe_optional(digest, want_pause_);
  weather_.describe(digest);
  digest.add(weather_pause_.count());
  digest.add(probing_);
  digest.add(probes_of_known_);
  digest.add(trouble_is_theirs_);
  digest.add(any_sent());
  digest.add(endpoint_answers_);
  digest.add(bad_in_a_row_);
  for (const Claim& claim : claims_) {
    for (const ClaimMember& member : claim.members())
      if (member.phase == MemberPhase::held && member.kind == AnswerKind::endpoint)
        digest.add(sent_since(member));
  }
  if (hours_.limited()) {
    for (const Instant change : {opens_at_, closes_at_, stale_at_}) digest.due(change);
    digest.add(stale_);
    digest.add(none_stale_);
  }
  digest.add(plan_version_);
  digest.add(static_cast<int>(at_least_));
  digest.add(reason_.empty());
  if (give_up_at_) digest.due(*give_up_at_);
  digest.add(report_.totals.remaining);
}

}  // namespace core
