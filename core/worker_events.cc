// What an event changes.
#include <algorithm>

#include "core/answer_table.h"
#include "core/assert.h"
#include "core/worker.h"

namespace core {
namespace {

constexpr Duration repeat_soon{
    100'000};  // after a deadlock, a statement time-out, a lost connection

}  // namespace

Instant Worker::local(const StoreAnswer& answer, DbTime time) const {
  return now_ + (time - answer.db_now);
}

void Worker::look_now() {
  none_stale_ = false;
  for (Look& look : looks_) look = Look{now_, look.again, std::nullopt, false};
}

void Worker::pause_until(Instant until) {
  paused_until_ = until;
  slots_.clear();
  if (until <= now_) paused_until_db_.reset();
}

void Worker::drain(ExitCode at_least, std::string reason) {
  if (phase_ >= Phase::draining) {
    if (reason_.empty() || at_least > at_least_) reason_ = std::move(reason);
    at_least_ = std::max(at_least_, at_least);
    if (stale_ && !give_up_at_)
      give_up_at_ = now_ + policy_.worst_send() + 2 * policy_.statement_timeout;
    return;
  }
  phase_ = Phase::draining;
  at_least_ = at_least;
  reason_ = std::move(reason);
  give_up_at_ = now_ + policy_.worst_send() + 2 * policy_.statement_timeout;
  for (Claim& claim : claims_) claim.releasing = true;
}

void Worker::on_send_finished(const SendFinished& finished) {
  Lane& lane = lanes_[static_cast<std::size_t>(finished.lane)];
  ASSERT(lane.busy);
  lane.busy = false;
  --in_flight_;
  const auto claim = std::find_if(claims_.begin(), claims_.end(),
                                  [&](const Claim& c) { return c.serial == lane.claim; });
  ASSERT(claim != claims_.end());
  ClaimMember& member = claim->at(lane.index);
  if (!finished.started) {
    member.started = false;
    --started_unrecorded_;
    claim->move(lane.index, claim->lost ? MemberPhase::settled : MemberPhase::open);
    return;
  }
  member.kind = classify(finished.answer);
  member.status = finished.answer.transport == Transport::answered ? finished.answer.status : 0;
  member.delay = finished.answer.retry_after.value_or(Duration(0));
  member.at = now_;
  member.sent_before = sent_answers_;
  const bool bad = is_bad_weather(member.kind);
  bad_in_a_row_ = bad ? std::min(bad_in_a_row_ + 1, bad_to_doubt_anybody) : 0;
  if (!bad || tells_weather(member)) weather_.observe(member.member.id, bad, now_);
  if (member.kind == AnswerKind::sent) {
    ++sent_answers_;
    endpoint_answers_ = 0;
    probing_ = false;
    probes_of_known_ = 0;
    weather_pause_ = policy_.weather_pause;
  }
  if (row_of(member.kind).delivered == Delivered::unknown) member.doubt = true;
  if (member.kind == AnswerKind::endpoint) ++endpoint_answers_;
  if (member.kind == AnswerKind::throttled) {
    member.delay = std::max(member.delay, policy_.throttle_pause);
    want_pause_ = std::max(want_pause_.value_or(Duration(0)), member.delay);
  }
  if (member.kind == AnswerKind::credentials) {
    drain(ExitCode::refused,
          finished.answer.transport == Transport::untrusted
              ? "the provider's certificate is not trusted: check MAIL_URL and MAIL_CA_FILE"
              : "the provider answered " + std::to_string(member.status) +
                    ": check the provider's credentials (MAIL_API_KEY)");
  }
  if (claim->lost) {
    claim->move(lane.index, MemberPhase::settled);
    --started_unrecorded_;
    return;
  }
  switch (member.kind) {
    case AnswerKind::sent:
      judge(*claim, lane.index, Fate::sent);
      break;
    case AnswerKind::refused:
      judge(*claim, lane.index, Fate::refused);
      break;
    case AnswerKind::throttled:
      give_back(*claim, lane.index);
      break;
    case AnswerKind::not_accepted:
    case AnswerKind::in_doubt:
    case AnswerKind::endpoint:
    case AnswerKind::credentials:
      claim->move(lane.index, MemberPhase::held);
      break;
  }
}

void Worker::on_store_answer(const StoreAnswer& answer) {
  ASSERT(store_busy_);
  store_busy_ = false;
  if (answer.status == StoreStatus::refused) {
    drain(ExitCode::refused, answer.error);
    at_least_ = ExitCode::refused;
    claims_.clear();  // nothing can be recorded; leases end by themselves
    started_unrecorded_ = in_flight_ = 0;
    for (Lane& lane : lanes_) lane.busy = false;
    phase_ = Phase::leaving;
    return;
  }
  if (answer.status != StoreStatus::answered) {
    on_not_done(answer);
    return;
  }
  away_since_.reset();
  hear_time(asked_at_, answer.db_now);
  if (const auto* planned = std::get_if<Planned>(&answer.result)) {
    plan_version_ = planned->plan_version;
    if (phase_ == Phase::planning) phase_ = stale_ ? Phase::draining : Phase::running;
    look_now();
  } else if (const auto* claimed = std::get_if<Claimed>(&answer.result)) {
    on_claimed(answer, *claimed);
  } else if (const auto* slots = std::get_if<SlotsReserved>(&answer.result)) {
    on_slots(answer, *slots);
  } else if (const auto* rechecked = std::get_if<Rechecked>(&answer.result)) {
    on_rechecked(answer, *rechecked);
  } else if (const auto* recorded = std::get_if<Recorded>(&answer.result)) {
    on_recorded(*recorded);
  } else if (const auto* paused = std::get_if<Paused>(&answer.result)) {
    paused_until_db_ = paused->until;
    pause_until(local(answer, paused->until));
  } else if (const auto* swept = std::get_if<Swept>(&answer.result)) {
    on_swept(*swept);
  } else if (const auto* totals = std::get_if<Totals>(&answer.result)) {
    on_totals(*totals);
  } else if (const auto* skipped = std::get_if<Skipped>(&answer.result)) {
    on_skipped(answer, *skipped);
  } else {
    ASSERT(false && "an answered statement has a result");
  }
}

void Worker::on_not_done(const StoreAnswer& answer) {
  if (!away_since_) away_since_ = now_;
  if (now_ - *away_since_ >= policy_.database_patience) {
    drain(ExitCode::work_remains, "the database is away: " + answer.error);
    give_up_at_ = std::min(give_up_at_.value_or(Instant::max()), now_ + policy_.worst_send());
  }
  if (std::holds_alternative<Recheck>(outstanding_) ||
      std::holds_alternative<ReserveSlots>(outstanding_)) {
    ask_again_at_ = now_ + repeat_soon;  // asked anew if it is still wanted, for who is wanted then
    return;
  }
  const auto* batch = std::get_if<ClaimBatch>(&outstanding_);
  const auto* retry = std::get_if<ClaimRetries>(&outstanding_);
  if (answer.status == StoreStatus::in_doubt && (batch != nullptr || retry != nullptr)) {
    outstanding_ = ReadBack{batch != nullptr ? batch->token : retry->token, retry != nullptr};
  }
  was_in_doubt_ = was_in_doubt_ || answer.status == StoreStatus::in_doubt;
  repeat_ = true;
  ask_again_at_ = now_ + repeat_soon;
}

void Worker::on_nothing_claimed(const StoreAnswer& answer, const Claimed& claimed) {
  Kind kind = batches;
  if (const auto* retry = std::get_if<ClaimRetries>(&outstanding_))
    kind = retry->suspects ? suspects : retries;
  if (std::holds_alternative<ReadBack>(outstanding_))
    return;  // the claim was never made: look again
  Look& look = looks_[kind];
  look.none = !claimed.wake;
  look.wake = claimed.wake;
  look.at = now_ + policy_.poll_max;
  if (claimed.wake) {
    const Instant wake = local(answer, *claimed.wake);
    if (wake < now_ + look_again_soon) {
      look_again(look);
    } else {
      look.at = std::min(wake, look.at);
    }
  }
  if (claimed.halted) drain(ExitCode::work_remains, "the campaign is paused (campaigns.paused)");
}

void Worker::on_claimed(const StoreAnswer& answer, const Claimed& claimed) {
  if (!claimed.found) {
    on_nothing_claimed(answer, claimed);
    return;
  }
  Claim claim;
  claim.serial = next_serial_++;
  if (const auto* batch = std::get_if<ClaimBatch>(&outstanding_)) {
    claim.token = batch->token;
  } else if (const auto* retry = std::get_if<ClaimRetries>(&outstanding_)) {
    claim.token = retry->token;
    claim.retries = true;
  } else {
    const ReadBack& read_back = std::get<ReadBack>(outstanding_);
    claim.token = read_back.token;
    claim.retries = read_back.retries;
  }
  claim.batch = claimed.batch;
  claim.stop_sending =
      outstanding_since_ + policy_.batch_budget;  // the lease outlives it: Policy::lease_needed
  claim.doubtful = !claim.retries && claimed.since < answer.db_now;
  claim.releasing = phase_ != Phase::running;
  // The last request of this claim may start a whole budget from now.
  const Duration key_lives = policy_.dedupe_window - policy_.dedupe_margin - policy_.batch_budget;
  for (const ClaimedMember& claimed_member : claimed.members) {
    ClaimMember member;
    member.member = claimed_member;
    const DbTime since = claim.retries ? claimed_member.since : claimed.since;
    member.doubt = since < answer.db_now;
    member.at = now_;
    if (member.doubt && since + key_lives <= answer.db_now) {
      member.phase = MemberPhase::answered;
      member.fate = Fate::put_aside;
    } else if (claim.retries && claimed_member.expired_claims >= policy_.poison_after) {
      member.phase = MemberPhase::answered;
      member.fate = Fate::put_aside;
      member.doubt = true;
    } else if (!claim.retries && claimed.expired_claims >= policy_.suspect_after) {
      member.phase = MemberPhase::answered;
      member.fate = Fate::scattered;
      member.member.expired_claims = claimed.expired_claims;
      member.doubt = true;
    } else if (!claimed_member.sendable) {
      member.phase = MemberPhase::answered;
      member.fate = Fate::unsendable;
    }
    claim.add(member);
  }
  for (Look& look : looks_) look.again = look_again_soon;
  ++report_.batches;
  claims_.push_back(std::move(claim));
}

void Worker::on_slots(const StoreAnswer& answer, const SlotsReserved& slots) {
  if (slots.paused_until) {
    paused_until_db_ = slots.paused_until;
    pause_until(local(answer, *slots.paused_until));
  }
  if (slots.count > 0) slot_interval_ = slots.interval;
  for (std::int64_t i = 0; i < slots.count; ++i) {
    slots_.push_back(database_clock_.local(slots.first) + i * slots.interval);
  }
}

void Worker::on_rechecked(const StoreAnswer& answer, const Rechecked& rechecked) {
  if (rechecked.paused_until) {
    paused_until_db_ = rechecked.paused_until;
    pause_until(local(answer, *rechecked.paused_until));
  }
  if (rechecked.halted)
    drain(ExitCode::work_remains, "the campaign is paused, or its hours were changed");
  for (const Place& place : rechecking_) {
    const auto claim = std::find_if(claims_.begin(), claims_.end(),
                                    [&](const Claim& c) { return c.serial == place.claim; });
    if (claim == claims_.end()) continue;
    const ClaimMember& member = claim->members()[place.index];
    if (member.phase > MemberPhase::checked) continue;
    const auto& held = rechecked.held_back;
    if (std::find(held.begin(), held.end(), member.member.id) == held.end()) {
      claim->at(place.index).at = outstanding_since_;
      claim->move(place.index, MemberPhase::checked);
    } else if (claim->retries) {
      claim->at(place.index).fate = Fate::released;
      claim->move(place.index, MemberPhase::answered);
    } else {
      claim->move(place.index, MemberPhase::settled);
    }
  }
}

void Worker::on_recorded(const Recorded& recorded) {
  Token token;
  bool ends = false;
  std::int64_t asked = 0;
  if (const auto* batch = std::get_if<RecordBatch>(&outstanding_)) {
    token = batch->token;
    ends = batch->ends;
    asked = static_cast<std::int64_t>(batch->sent.size() + batch->others.size());
  } else {
    const RecordRetries& retry = std::get<RecordRetries>(outstanding_);
    token = retry.token;
    asked = static_cast<std::int64_t>(retry.sent.size() + retry.others.size());
  }
  const auto claim = std::find_if(claims_.begin(), claims_.end(),
                                  [&](const Claim& c) { return c.token == token; });
  ASSERT(claim != claims_.end());
  // A repeated record of retries whose first answer was lost finds nothing left to change: that was
  // us.
  const bool stale = recorded.verdict == RecordVerdict::stale && !(claim->retries && was_in_doubt_);
  if (stale) report_.stale_writes += std::max<std::int64_t>(asked, 1);
  if (!stale && !was_in_doubt_) report_.stale_writes += asked - recorded.changed;
  for (std::size_t i = 0; i < claim->members().size(); ++i) {
    ClaimMember& member = claim->at(i);
    const bool settles =
        member.phase == MemberPhase::recording || (stale && member.phase != MemberPhase::flying);
    if (!settles || member.phase == MemberPhase::settled) continue;
    if (member.started) {
      --started_unrecorded_;
      if (!stale && member.fate == Fate::sent) ++report_.sent;
      if (!stale && (member.fate == Fate::retry || member.fate == Fate::wait)) {
        looks_[retries].none = false;
        looks_[retries].at = std::min(looks_[retries].at, now_ + member.delay);
      }
    }
    if (!stale && member.fate == Fate::scattered)
      looks_[suspects] = Look{now_, look_again_soon, std::nullopt, false};
    claim->move(i, MemberPhase::settled);
  }
  if (stale) claim->lost = true;
  // What the last look saw in somebody's hands may have been this claim: look again now, not when
  // its lease would have ended.
  const bool over = claim->in(MemberPhase::settled) == std::ssize(claim->members());
  if (over && !stale) {
    for (const Kind kind : {batches, retries, suspects}) {
      if (claim->retries == (kind != batches) && looks_[kind].wake) looks_[kind].at = now_;
    }
  }
  if (ends && !stale) {
    looks_[batches].none = looks_[batches].none && !claim->releasing;
    claims_.erase(claim);
  }
}

void Worker::on_swept(const Swept& swept) {
  plan_version_ = swept.plan_version;
  if (!swept.mine || swept.moved > 0) {
    look_now();
    if (!swept.mine) {
      for (Look& look : looks_) look_again(look);
    }
  } else if (phase_ == Phase::running || skips()) {
    // Nobody is uncovered: count, and leave if nobody remains.
    phase_ = swept.loose > 0 ? Phase::planning : Phase::counting;
  }
}

void Worker::on_totals(const Totals& totals) {
  report_.totals = totals;
  phase_ = Phase::leaving;
  if (reason_.empty() && totals.remaining > 0) {
    // Somebody has become eligible, or is in another worker's hands again.
    phase_ = stale_ ? Phase::draining : Phase::running;
    look_now();
    for (Look& look : looks_) look_again(look);
  }
}

// Work exists, and somebody else has it in his hands just now. His transaction may hang for as long
// as the server lets it, so that each time in a row is twice as late.
void Worker::look_again(Look& look) const {
  look.at = now_ + look.again;
  look.again = std::min(2 * look.again, std::max(policy_.poll_max, look_again_soon));
}

}  // namespace core
