// What to do next: start a request, ask the store, or wait.
#include <algorithm>

#include "core/assert.h"
#include "core/worker.h"

namespace core {
namespace {

constexpr Duration check_ahead{40'000};  // how far ahead of their start members are checked
constexpr Duration check_early{
    20'000};  // a new check is asked for when fewer than this far ahead are checked
constexpr Duration short_pause{2'000'000};  // claims are kept over a pause of up to this

}  // namespace

void Worker::expire() {
  if ((phase_ == Phase::running || skips()) && now_ - started_at_ >= policy_.deadline) {
    drain(ExitCode::done, "DEADLINE_S is over");
  }
  if (hours_.limited()) keep_hours();
  if (now_ - starts_window_ >= check_ahead) {
    starts_before_ = now_ - starts_window_ >= 2 * check_ahead ? 0 : starts_in_window_;
    starts_in_window_ = 0;
    starts_window_ = now_;
  }
  while (!slots_.empty() && slots_.front() + policy_.slot_max_lateness < now_)
    slots_.erase(slots_.begin());
  for (Claim& claim : claims_) {
    if (now_ >= claim.stop_sending || paused_until_ - now_ > short_pause) claim.releasing = true;
    for (std::size_t i = claim.first_unstarted(); i < claim.members().size(); ++i) {
      if (claim.in(MemberPhase::checked) == 0) break;
      const ClaimMember& member = claim.members()[i];
      if (member.phase == MemberPhase::checked && now_ - member.at >= policy_.recheck_max_age) {
        claim.move(i, MemberPhase::open);
      }
    }
  }
}

bool Worker::pausing() const {
  return want_pause_ || now_ < paused_until_ ||
         (store_busy_ && std::holds_alternative<Pause>(outstanding_));
}

bool Worker::sending_allowed() const {
  if (phase_ != Phase::running || pausing()) return false;
  return !probing_ || in_flight_ == 0;
}

std::int64_t Worker::unstarted() const {
  std::int64_t unstarted = 0;
  for (const Claim& claim : claims_)
    unstarted += claim.releasing || claim.lost ? 0 : claim.unstarted();
  return unstarted;
}

// Members that could be started now if they were checked and had a slot.
std::int64_t Worker::startable() const {
  if (!sending_allowed()) return 0;
  const std::int64_t free_lanes = policy_.lanes - in_flight_;
  std::int64_t most = std::min({unstarted(), policy_.batch - started_unrecorded_, free_lanes});
  if (probing_) most = std::min<std::int64_t>(most, 1);
  return most;
}

std::optional<Send> Worker::next_send() {
  if (startable() <= 0 || now_ < last_start_ + policy_.min_interval) return std::nullopt;
  if (rate_limited_ && (slots_.empty() || slots_.front() > now_)) return std::nullopt;
  for (Claim& claim : claims_) {
    if (claim.releasing || claim.lost || claim.in(MemberPhase::checked) == 0) continue;
    for (std::size_t i = claim.first_unstarted(); i < claim.members().size(); ++i) {
      ClaimMember& member = claim.at(i);
      if (member.phase != MemberPhase::checked) continue;
      const auto lane =
          std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& l) { return !l.busy; });
      ASSERT(lane != lanes_.end());
      *lane = Lane{true, claim.serial, i};
      member.started = true;
      claim.move(i, MemberPhase::flying);
      ++in_flight_;
      ++started_unrecorded_;
      ++starts_in_window_;
      ASSERT(started_unrecorded_ <= policy_.batch);
      last_start_ = now_;
      Instant latest = std::min(
          {member.at + policy_.recheck_max_age, claim.stop_sending, closes_at_, stale_at_});
      if (rate_limited_) {
        latest = std::min(latest, slots_.front() + policy_.slot_max_lateness);
        slots_.erase(slots_.begin());
      }
      return Send{lane - lanes_.begin(), member.member.id, latest};
    }
  }
  return std::nullopt;
}

std::optional<StoreCommand> Worker::next_store_command() {
  if (repeat_) return outstanding_;
  if (want_pause_) {
    const Pause pause{*want_pause_};
    want_pause_.reset();
    return pause;
  }
  if (phase_ == Phase::planning) return Plan{plan_version_};
  if (phase_ == Phase::counting || phase_ == Phase::leaving) return CountTotals{};
  if (auto record = next_record(true)) return record;
  if (auto command = next_to_send()) return command;
  if (auto record = next_record(false)) return record;
  if (phase_ == Phase::draining) {
    if (!claims_.empty()) return std::nullopt;
    if (skips()) return next_skip();
    phase_ = Phase::counting;
    return CountTotals{};
  }
  return next_look();
}

std::optional<StoreCommand> Worker::next_to_send() {
  if (auto slots = next_slots()) return slots;
  if (auto recheck = next_recheck()) return recheck;
  return std::nullopt;
}

// Only for lanes that are free now, at most half of them: slots reserved for a whole batch would
// leave late and either crowd a second or be forfeited.
std::optional<StoreCommand> Worker::next_slots() const {
  if (!rate_limited_) return std::nullopt;
  const std::int64_t half_the_free = (policy_.lanes - in_flight_ + 1) / 2;
  // And no further ahead than a second: what was reserved under a limit is sent under it, though it
  // may have been lowered meanwhile.
  const std::int64_t in_a_second = slot_interval_ > Duration(0)
                                       ? std::max<std::int64_t>(Duration(1s) / slot_interval_, 1)
                                       : half_the_free;
  const std::int64_t wanted = std::min({startable(), half_the_free, in_a_second});
  const auto have = static_cast<std::int64_t>(slots_.size());
  if (wanted <= 0 || have * 2 > wanted) return std::nullopt;
  return ReserveSlots{std::max<std::int64_t>(wanted - have, 1)};
}

std::int64_t Worker::slots_within(Duration ahead) const {
  std::int64_t count = 0;
  for (const Instant slot : slots_) count += slot <= now_ + ahead ? 1 : 0;
  return count;
}

// How many members should stand checked: as many as start within check_ahead.
std::int64_t Worker::wanted_checked() const {
  const std::int64_t recent = std::max(starts_before_, starts_in_window_);
  const std::int64_t soon =
      rate_limited_ ? slots_within(check_ahead) : std::max(recent, startable());
  return std::min({soon, policy_.recheck_group, policy_.batch - started_unrecorded_});
}

std::optional<StoreCommand> Worker::next_recheck() {
  if (startable() <= 0) return std::nullopt;
  std::int64_t checked = 0;
  for (const Claim& claim : claims_)
    checked += claim.releasing || claim.lost ? 0 : claim.in(MemberPhase::checked);
  const std::int64_t wanted = wanted_checked();
  const std::int64_t urgent = rate_limited_ ? slots_within(check_early) : (wanted + 1) / 2;
  if (wanted <= checked || checked >= std::max<std::int64_t>(urgent, 1)) return std::nullopt;
  Recheck recheck;
  rechecking_.clear();
  for (const Claim& claim : claims_) {
    if (claim.releasing || claim.lost) continue;
    if (claim.retries) recheck.retry_tokens.push_back(claim.token);
    for (std::size_t i = claim.first_unstarted(); i < claim.members().size(); ++i) {
      if (checked + static_cast<std::int64_t>(recheck.members.size()) >= wanted) break;
      if (claim.members()[i].phase != MemberPhase::open) continue;
      recheck.members.push_back(claim.members()[i].member.id);
      rechecking_.push_back({claim.serial, i});
    }
  }
  if (recheck.members.empty()) return std::nullopt;
  return recheck;
}

// One claim is being sent, one is the next. A third is made where the last answers of one are all
// that is awaited: a claim of few retries would otherwise keep the next batch back for as long, and
// the lanes idle.
bool Worker::may_claim() const {
  std::int64_t unstarted = 0;
  std::size_t to_send = 0;
  for (const Claim& claim : claims_) {
    unstarted += claim.unstarted();
    to_send += claim.unstarted() > 0 ? 1 : 0;
  }
  if (unstarted >= std::min(2 * policy_.recheck_group, policy_.batch)) return false;
  return claims_.size() < 2 || (claims_.size() < claims_most && to_send < 2);
}

// Claims the next work: retries that are due before new batches, suspects alone. With nothing
// anywhere: sweeps.
std::optional<StoreCommand> Worker::next_look() {
  if (phase_ != Phase::running || pausing() || (probing_ && !claims_.empty())) return std::nullopt;
  if (now_ < opens_at_ || !may_claim()) return std::nullopt;
  const Token token{rng_.next(), rng_.next()};
  const bool batch_is_due = now_ >= looks_[batches].at;
  // A probe is better about somebody who has not failed yet.
  if (probing_ && batch_is_due) return ClaimBatch{token};
  // Retries go before new batches, but not all of them: a batch is taken between two claims of few.
  const bool has_retries = std::ranges::any_of(claims_, &Claim::retries);
  if (now_ >= looks_[retries].at && !(has_retries && batch_is_due)) {
    return ClaimRetries{token, std::min(policy_.batch, 2 * policy_.recheck_group), false};
  }
  if (batch_is_due) return ClaimBatch{token};
  if (!claims_.empty()) return std::nullopt;
  if (now_ >= looks_[suspects].at) return ClaimRetries{token, 1, true};
  if (looks_[batches].none && looks_[retries].none && looks_[suspects].none)
    return Sweep{plan_version_};
  return std::nullopt;
}

Wait Worker::next_wait() const {
  Wait wait;
  wait.until = now_ + policy_.poll_max;
  wait.holding = holding();
  const auto at = [&](Instant instant) {
    if (instant > now_) wait.until = std::min(wait.until, instant);
  };
  at(started_at_ + policy_.deadline);
  for (const Instant change : {opens_at_, closes_at_, stale_at_}) at(change);
  at(last_start_ + policy_.min_interval);
  at(paused_until_);
  at(ask_again_at_);
  if (give_up_at_) at(*give_up_at_);
  for (const Instant slot : slots_) {
    at(slot);
    at(slot - check_early);
  }
  for (const Look& look : looks_) at(look.at);
  for (const Claim& claim : claims_) {
    at(claim.stop_sending);
    if (claim.in(MemberPhase::held) > 0) at(weather_.decides_at());
    if (claim.in(MemberPhase::held) + claim.in(MemberPhase::answered) == 0) continue;
    for (const ClaimMember& member : claim.members()) {
      if (member.phase == MemberPhase::held) at(member.at + Weather::undecided_max);
      if (member.phase == MemberPhase::answered) at(member.at + policy_.record_at_least_every);
    }
  }
  const bool looks_for_work = phase_ == Phase::running || skips();
  if (claims_.empty() && !store_busy_ && in_flight_ == 0 && looks_for_work) {
    std::optional<DbTime> wake;
    for (const Look& look : looks_) {
      if (look.wake && (!wake || *look.wake < *wake)) wake = look.wake;
    }
    wait.db_until = paused_until_ > now_ && paused_until_db_ && !stale_ ? paused_until_db_ : wake;
    if (const auto change = hours_change(); change && (now_ < opens_at_ || wait.db_until))
      wait.db_until = std::min(wait.db_until.value_or(*change), *change);
  }
  return wait;
}

}  // namespace core
