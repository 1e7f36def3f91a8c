// A night of the reference sender: its own core in a scripted World, every oracle watching.
#pragma once

#include <array>

#include "sim/night/night.h"

namespace sim {

class ReferenceNight : public Night {
 public:
  // The settings' workers, budget and script are the night's own affair.
  explicit ReferenceNight(WorldSettings settings);
  ReferenceNight(const ReferenceNight&) = delete;
  ReferenceNight& operator=(const ReferenceNight&) = delete;

  int start() override;
  void kill(int actor) override;
  void terminate(int actor) override;
  void suspend(int actor) override { world_.suspend(actor); }
  void resume(int actor) override { world_.resume(actor); }
  void opt_out(core::MemberId member) override { world_.opt_out(member); }
  void begin_outage(core::Duration lasts) override { world_.begin_outage(lasts); }
  void advance(core::Duration by) override { world_.advance(by); }
  void freeze_at(std::int64_t accept) override { world_.freeze_at(accept); }
  void thaw() override { world_.thaw(); }
  void strike_at(Command statement, std::int64_t nth, Choice choice) override {
    strikes_.push_back({statement, nth, choice});
  }
  std::int64_t reached(Command statement) const override {
    return reached_[static_cast<std::size_t>(statement)];
  }
  void land() override { world_.land(); }
  std::optional<int> step() override;
  bool alive(int actor) const override;
  const std::vector<int>& readers() const override { return readers_; }
  core::Instant now() const override { return world_.now(); }
  const ProviderModel& provider() const override { return world_.provider(); }
  const std::vector<Arrival>& arrivals() const override { return world_.arrivals(); }
  const std::vector<Ended>& ended() const override { return world_.ended(); }
  std::size_t peak_held_bytes() const override { return world_.peak_held_bytes(); }
  const std::optional<Verdict>& verdict() const override { return world_.verdict(); }
  void settle() override { world_.settle(); }

  const World& world() const { return world_; }
  void log_calls(std::vector<DatabaseCall>* calls) { world_.log_calls(calls); }

 private:
  struct Strike {
    Command statement;
    std::int64_t nth;
    Choice choice;
  };
  void count(Move& move);

  WorldSettings settings_;
  World world_;
  std::vector<Strike> strikes_;
  std::array<std::int64_t, command_count> reached_{};
  std::vector<int> readers_;  // none
  std::vector<Offer> offers_;
  int moved_ = 0;  // last
};

}  // namespace sim
