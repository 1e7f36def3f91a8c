// What a world is made of, and how much may go wrong in it.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/policy.h"
#include "fake_mail/behaviour.h"
#include "sim/database/model_database.h"
#include "sim/world/move.h"
#include "sim/world/oracle.h"

namespace sim {

struct PlantedBug;

enum class Fault : std::uint8_t {
  kill,       // SIGKILL; the Job starts another at once
  freeze,     // SIGSTOP for a while
  stop,       // SIGTERM; started again when it has left
  start,      // one more worker at once
  statement,  // anything but a prompt answer to a statement
  held,       // a transaction stays open
  request,    // the network loses a request or its answer
  refusal,    // 503, 429, accepted and answered 503
  slow,       // an answer that takes its time
  late,       // something lands after its sender's end
  opt_out,
  outage,
  clock_jump,
  database_crash,  // the last commit is gone, though it was acknowledged
  add_member,      // the audience grows while it is sent
  withdraw_opt_out,
  pause_campaign,  // by a person, who lets it go on after a while, or earlier
};
constexpr std::size_t fault_count = 17;
std::string_view text_of(Fault fault);

// The database's time then.
constexpr core::DbTime world_begins{std::chrono::hours(1000)};

// How many of each at most in one schedule, and of all together but kills.
struct Budget {
  std::array<std::uint8_t, fault_count> of{};
  std::uint8_t total = 255;
  std::uint8_t& operator[](Fault fault) { return of[static_cast<std::size_t>(fault)]; }
  std::uint8_t operator[](Fault fault) const { return of[static_cast<std::size_t>(fault)]; }
  bool allows(Fault fault) const {
    return (total > 0 || fault == Fault::kill) && (*this)[fault] > 0;
  }
  bool spent() const { return total == 0 && (*this)[Fault::kill] == 0; }
  void spend(Fault fault) {
    --(*this)[fault];
    if (fault != Fault::kill) --total;
  }
};
Fault fault_of(Command command, Choice choice);  // Requires: it is one (is_fault)
bool is_fault(Command command, Choice choice);

// Who has nothing to do then sleeps until a lease ends: polling in between only repeats itself.
constexpr core::Duration idle_sleeps_past(core::Duration lease) {
  return lease + core::Duration(10'000'000);
}

struct WorldSettings {
  std::string name = "small";
  std::int64_t members = 12;
  // Of the members in turn: 0, 1, ... ; the lowest is the most important one.
  int priorities = 1;
  int workers = 2;
  core::Policy policy;  // of the database and of the oracles, and of the workers but for a bug
  fake_mail::Behaviour provider;
  Budget budget;
  core::Duration outage_lasts{60'000'000};
  // Requests may start from window_opens to window_closes, and again each window_every after that;
  // since the begin, by the database's clock. closes 0: at any time.
  core::Duration window_opens{0}, window_closes{0}, window_every{0};
  core::Duration not_after{0};  // the same; 0: never too late
  std::uint64_t seed = 1;       // of tokens and jitter
  // The clock moves by small steps too, not only from one moment of interest to the next.
  bool fine_time = true;
  std::vector<Conjunct> dropped;  // from the statements
  const PlantedBug* bug = nullptr;
  std::optional<core::Policy> worker_policy;  // a wrong setting of every worker
  std::bitset<oracle_count> ignored;          // what breaks these is let pass
  std::int64_t steps_max = 20'000;
  // Somebody else is the Job and the scenario: nobody is started by itself, nobody counts faults.
  bool scripted = false;

  // What a worker is told that is started then, at a time since the begin.
  core::Hours hours(core::Duration since) const;
  int priority_of(std::int64_t member) const { return static_cast<int>((member - 1) % priorities); }
};

}  // namespace sim
