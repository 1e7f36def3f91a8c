#include "core/worker.h"

#include "core/assert.h"

namespace core {

Worker::Worker(const Policy& policy, std::uint64_t seed, int plan_version)
    : policy_(policy),
      rng_(seed),
      jitter_seed_(mix(seed)),
      lanes_(static_cast<std::size_t>(policy.lanes)),
      rate_limited_(policy.rate_per_s > 0),
      slot_interval_(rate_limited_ ? Duration(1s) / policy.rate_per_s : Duration(0)),
      weather_pause_(policy.weather_pause),
      plan_version_(plan_version) {}

void Worker::on(Instant now, const Event& event) {
  ASSERT(now >= now_);
  now_ = now;
  wait_said_ = false;
  struct Visitor {
    Worker& self;
    void operator()(const Started& started) const {
      self.hours_ = started.hours;
      if (self.hours_.opens != DbTime::min()) self.opens_at_ = Instant::max();
      self.phase_ = Phase::planning;
      self.started_at_ = self.now_;
      self.last_start_ = self.now_ - self.policy_.min_interval;
      self.look_now();
    }
    void operator()(const Tick&) const {}
    void operator()(const Due& due) const {
      if (self.hours_.limited()) self.hear_time(self.now_, due.db_now);
      self.look_now();
      if (self.paused_until_db_) self.pause_until(self.now_);
    }
    void operator()(const StoreAnswer& answer) const { self.on_store_answer(answer); }
    void operator()(const SendFinished& finished) const { self.on_send_finished(finished); }
    void operator()(const Stop&) const { self.drain(ExitCode::done, "stopped"); }
  };
  std::visit(Visitor{*this}, event);
  expire();
  decide();
  erase_ended_claims();
}

std::optional<Command> Worker::next() {
  if (phase_ == Phase::idle || phase_ == Phase::exited) return std::nullopt;
  if (auto send = next_send()) return *send;
  const bool gives_up = give_up_at_ && now_ >= *give_up_at_;
  if (phase_ == Phase::leaving || gives_up) {
    if (phase_ != Phase::leaving) at_least_ = std::max(at_least_, ExitCode::work_remains);
    phase_ = Phase::exited;
    return Exit{exit_code(), reason(), report_};
  }
  if (!store_busy_ && now_ >= ask_again_at_) {
    const bool again = repeat_;
    if (auto command = next_store_command()) {
      if (!again) {
        outstanding_since_ = now_;
        was_in_doubt_ = false;
      }
      store_busy_ = true;
      asked_at_ = now_;
      repeat_ = false;
      outstanding_ = std::move(*command);
      return outstanding_;
    }
  }
  if (wait_said_) return std::nullopt;
  wait_said_ = true;
  return next_wait();
}

std::int64_t Worker::holding() const {
  std::int64_t held = 0;
  for (const Claim& claim : claims_) {
    held += static_cast<std::int64_t>(claim.members().size()) - claim.in(MemberPhase::settled);
  }
  return held;
}

ExitCode Worker::exit_code() const {
  const Totals& totals = report_.totals;
  if (at_least_ == ExitCode::refused) return ExitCode::refused;
  if (at_least_ == ExitCode::work_remains || totals.remaining > 0) return ExitCode::work_remains;
  const bool too_many_failed = totals.failed * 1000 > totals.total * policy_.failed_permille_max;
  if (at_least_ == ExitCode::look || too_many_failed || totals.unknown > 0 || totals.stale > 0)
    return ExitCode::look;
  return ExitCode::done;
}

void Worker::erase_ended_claims() {
  for (std::size_t i = claims_.size(); i-- > 0;) {
    const Claim& claim = claims_[i];
    const bool all_settled =
        claim.in(MemberPhase::settled) == static_cast<std::int64_t>(claim.members().size());
    // A batch ends by its ending record, not by running empty; a lost claim has nothing left to
    // end.
    if (claim.in(MemberPhase::flying) == 0 && (claim.lost || (claim.retries && all_settled))) {
      claims_.erase(claims_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace core
