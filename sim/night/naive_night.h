// A night of the naive sender: each pod reads the whole list and mails it one by one, whatever the
// others do. No oracle watches: what it does wrong is counted afterwards.
#pragma once

#include <vector>

#include "sim/naive/naive_machine.h"
#include "sim/night/night.h"

namespace sim {

class NaiveNight : public Night {
 public:
  // Members 1 .. members, none of them mailed yet. interval: MIN_INTERVAL_S, slept before each
  // mail.
  NaiveNight(const fake_mail::Behaviour& provider, std::int64_t members, core::Duration interval);

  int start() override;
  void kill(int actor) override;
  void terminate(int actor) override { leave(actor, terminated_exit_code); }
  void suspend(int actor) override { pod(actor).suspended = true; }
  void resume(int actor) override { pod(actor).suspended = false; }
  void opt_out(core::MemberId) override {}  // it never looks again
  void begin_outage(core::Duration lasts) override {
    provider_.begin_outage(now_ + provider_ahead_, lasts);
  }
  void advance(core::Duration by) override { provider_ahead_ += by; }
  void freeze_at(std::int64_t accept) override { provider_.set_trigger(accept, true); }
  void thaw() override;
  void strike_at(Command, std::int64_t, Choice) override {}
  std::int64_t reached(Command) const override { return 0; }
  void land() override {}
  std::optional<int> step() override;
  bool alive(int actor) const override { return !pods_[static_cast<std::size_t>(actor)].left; }
  const std::vector<int>& readers() const override { return readers_; }
  core::Instant now() const override { return now_; }
  const ProviderModel& provider() const override { return provider_; }
  const std::vector<Arrival>& arrivals() const override { return arrivals_; }
  const std::vector<Ended>& ended() const override { return ended_; }
  std::size_t peak_held_bytes() const override { return peak_held_bytes_; }
  const std::optional<Verdict>& verdict() const override { return no_verdict_; }
  void settle() override {}

 private:
  struct Pod {
    NaiveMachine machine;
    std::optional<int> answer;  // of the provider, heard at `hears`; nothing: it waits for ever
    core::Instant hears{};
    core::Instant sleeps_until{};
    bool posting = false;
    bool withheld = false;
    bool suspended = false;
    bool left = false;
  };
  Pod& pod(int actor) { return pods_[static_cast<std::size_t>(actor)]; }
  bool ready(const Pod& pod) const;
  void move(int actor);
  void post(int actor, core::MemberId member);
  void leave(int actor, int exit_code);

  std::int64_t members_;
  core::Duration interval_;
  ProviderModel provider_;
  std::vector<Pod> pods_;
  std::vector<int> readers_;
  core::Instant now_{};
  core::Duration provider_ahead_{0};
  int moved_ = 0;  // last
  std::size_t peak_held_bytes_ = 0;
  std::vector<Arrival> arrivals_;
  std::vector<Ended> ended_;
  std::optional<Verdict> no_verdict_;
};

}  // namespace sim
