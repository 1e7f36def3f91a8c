// What became of the scenario's events, and the one place that decides which of them tested
// nothing: one that never fired, and one with a deed that changed nothing, unless that is what the
// scenario expects of it. Pure.
//
// Ownership: keeps a reference to the events, which must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/result.h"
#include "scenarios/scenario.h"

namespace harness {

// What a deed finds when it is to be done: each tier fills in what its deed is about.
struct Found {
  std::string_view who = "";   // kill, stop, continue: the process
  bool alive = false;          // it runs
  bool stopped = false;        // it was stopped before and not continued
  bool dropped = false;        // start: the Job's policy doesn't let it start
  std::int64_t opted_out = 0;  // opt_out: members who had not opted out before
};

class EventLog {
 public:
  explicit EventLog(const std::vector<scenarios::Event>& events)
      : events_(events), fates_(events.size()) {}

  bool has_fired(std::size_t event) const { return fates_[event].fired; }
  void fires(std::size_t event) { fates_[event].fired = true; }
  // Returns: whether the deed changes anything. Requires: the event has fired.
  bool does(std::size_t event, scenarios::Deed deed, const Found& found = {});

  // Gives the sender's result an inconclusive check for each event that tested nothing.
  // ended_early: what had not fired by then is not judged.
  void judge(bool ended_early, reports::SenderResult& result) const;

 private:
  struct Fate {
    bool fired = false;
    std::vector<std::string> did;
    std::vector<std::string> nothing;  // deeds that changed nothing, and why
  };

  const std::vector<scenarios::Event>& events_;
  std::vector<Fate> fates_;  // by event
};

}  // namespace harness
