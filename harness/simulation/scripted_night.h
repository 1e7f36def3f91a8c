// One sender's night in the simulator under a scenario's events and Job, and its count.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/policy.h"
#include "harness/counting/event_log.h"
#include "harness/counting/job.h"
#include "harness/run.h"
#include "harness/simulation/mirror.h"
#include "reports/result.h"
#include "scenarios/scenario.h"
#include "sim/night/night.h"
#include "sim/world/world.h"

namespace harness {

struct NightInput {
  const scenarios::Scenario& scenario;
  std::string sender;  // "reference" or "naive"
  std::int64_t members = 0;
  std::string bug;  // planted in the reference sender (explore.h); empty: none
  Progress& progress;
  const std::function<bool()>& stop;
  const MakeMirror& make_mirror;  // of the reference sender's database; empty: none
};

// The scenario's sender settings, read as campaign_sender itself reads them.
std::expected<core::Policy, RunError> policy_of(const scenarios::Scenario& scenario);

class ScriptedNight {
 public:
  explicit ScriptedNight(const NightInput& input)
      : in_(input), job_(input.scenario.job), events_(input.scenario.events) {}
  std::expected<reports::SenderResult, RunError> run();

 private:
  using Step = std::expected<void, RunError>;

  Step prepare();
  Step loop();
  bool next_night();
  void meet_deadlines();
  core::Duration elapsed() const { return night_->now().time_since_epoch() + between_nights_; }
  void look(std::optional<int> moved);
  void follow();
  void say_progress();
  void start(Job::Pod pod);
  void end(const sim::Ended& ended);
  void fire(std::size_t event, int owner);
  void do_deed(std::size_t event, scenarios::Deed deed, int actor);
  void signal(std::size_t event, scenarios::Deed deed, int actor);
  void count();

  bool naive() const { return in_.sender == "naive"; }
  bool only_memory() const { return naive() && in_.scenario.measure_memory; }
  void note(std::string line) { result_.notes.push_back(std::move(line)); }

  const NightInput& in_;
  Job job_;
  std::unique_ptr<sim::Night> night_;
  const sim::World* world_ = nullptr;  // of the reference sender's night
  std::unique_ptr<Mirror> mirror_;
  std::vector<sim::DatabaseCall> calls_;  // since the mirror followed last
  std::optional<std::string> difference_;
  reports::SenderResult result_;
  EventLog events_;
  std::set<int> stopped_;                           // by scenario, and not continued
  std::map<std::int64_t, core::Instant> opt_outs_;  // by member: when
  bool hangs_ = false;                              // nothing will ever happen any more
  std::int64_t starts_ = 1;                         // by the schedule
  core::Duration between_nights_{0};                // jumped over
  struct Jump {
    std::size_t arrivals;  // before it
    core::Duration ahead;  // of all that come after, in all
  };
  std::vector<Jump> jumps_;
  int started_ = 0;
  std::size_t readers_seen_ = 0;
  std::size_t ended_seen_ = 0;
  std::int64_t steps_ = 0;
  std::chrono::steady_clock::time_point said_at_ = std::chrono::steady_clock::now();
  std::int64_t said_accepted_ = 0;
};

}  // namespace harness
