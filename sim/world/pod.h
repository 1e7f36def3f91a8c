// One process of the Job: a worker, what it has asked for, and what is under way for it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/worker.h"
#include "sim/bugs/planted_bug.h"
#include "sim/world/outage_watch.h"

namespace sim {

struct Flight {
  enum class Stage : std::uint8_t {
    asked,      // by the worker; it has not reached the provider
    answering,  // the provider has answered, the worker hears of it later
    silent,     // nobody will ever answer
  };
  std::int64_t lane = 0;
  core::MemberId member{};
  core::Token claim;  // under which it is sent
  core::Instant latest_start{};
  core::Instant started{};
  core::Instant answered{};  // answering: not before this
  Stage stage = Stage::asked;
  core::SendAnswer answer;
  bool withheld = false;  // silent until the provider is thawed
};

struct Pod {
  Pod(core::Worker started, std::int64_t number)
      : worker(std::move(started)), incarnation(number) {}
  bool waiting() const { return running && !uncommitted; }

  core::Worker worker;
  std::int64_t incarnation = 0;
  std::optional<core::StoreCommand> asked;
  // A statement whose transaction is open: it is done and not committed, or waits for a lock.
  std::optional<core::StoreCommand> running;
  std::optional<core::StoreAnswer> uncommitted;
  core::Instant running_since{};
  std::vector<Flight> flights;
  core::Instant wait_until{};
  bool left = false;
  bool stopping = false;
  core::Instant frozen_until{};
  std::optional<core::Instant> starts_at;  // nothing: it has been started
  // Mailed by this process, and not known to be recorded: what a crash would repeat.
  std::vector<core::MemberId> unrecorded;
  OutageWatch outage;
  Sabotage sabotage;
};

}  // namespace sim
