// One night of a campaign in the simulator, as a scenario sees it: pods that are started and end,
// deeds done to them, requests that arrive at the provider. The reference sender's (a World with
// all its oracles) and the naive one's are driven alike.
//
// Whoever drives it is the Job: nobody starts by itself. Time is virtual and jumps. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/provider/provider_model.h"
#include "sim/world/move.h"
#include "sim/world/world.h"

namespace sim {

class Night {
 public:
  virtual ~Night() = default;

  // Returns: its actor; actors are numbered from 0 in the order of starting.
  virtual int start() = 0;
  // Requires, of these four: the actor has not ended.
  virtual void kill(int actor) = 0;
  virtual void terminate(int actor) = 0;  // SIGTERM
  virtual void suspend(int actor) = 0;
  virtual void resume(int actor) = 0;
  virtual void opt_out(core::MemberId member) = 0;
  virtual void begin_outage(core::Duration lasts) = 0;
  virtual void advance(core::Duration by) = 0;  // the clocks of database and provider
  // As World's: the delivery with this number is not answered before thaw(), which must be called
  // before the next step.
  virtual void freeze_at(std::int64_t accept) = 0;
  virtual void thaw() = 0;
  // The nth statement of that name, counted over all pods, goes that way; its pod hears of it at
  // its next move, if it still can. The naive sender has no such statements.
  virtual void strike_at(Command statement, std::int64_t nth, Choice choice) = 0;
  virtual std::int64_t reached(Command statement) const = 0;  // statements so far
  virtual void land() = 0;  // what was struck as a ghost is done now

  // The next thing happens, at most one delivery with it. Requires: somebody lives, no verdict.
  // Returns: who moved, -1 for the clock. Nothing: nothing will ever happen any more.
  virtual std::optional<int> step() = 0;
  virtual bool alive(int actor) const = 0;
  // Actors that have read their audience, in that order; the reference sender never says so.
  virtual const std::vector<int>& readers() const = 0;

  virtual core::Instant now() const = 0;  // since the night's begin
  virtual const ProviderModel& provider() const = 0;
  virtual const std::vector<Arrival>& arrivals() const = 0;
  virtual const std::vector<Ended>& ended() const = 0;
  virtual std::size_t peak_held_bytes() const = 0;  // of the largest pod
  // An oracle that is broken; what is judged at the end needs settle() before.
  virtual const std::optional<Verdict>& verdict() const = 0;
  virtual void settle() = 0;  // nobody will be started any more, and the Job has not given up
};

}  // namespace sim
