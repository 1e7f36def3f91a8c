#include "harness/counting/event_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness {
namespace {

// Returns: why the deed changes nothing; "": it changes something.
std::string why_nothing(const scenarios::Event& event, scenarios::Deed deed, const Found& found) {
  switch (deed) {
    case scenarios::Deed::freeze:  // for the sake of the other deeds
      return event.deeds.size() > 1 ? "" : "nothing is done while the provider waits";
    case scenarios::Deed::kill:
      return found.alive ? "" : fmt::format("no process {} runs", found.who);
    case scenarios::Deed::stop:
      if (!found.alive) return fmt::format("no process {} runs", found.who);
      return found.stopped ? fmt::format("{} is stopped already", found.who) : "";
    case scenarios::Deed::proceed:
      if (!found.alive) return fmt::format("no process {} runs", found.who);
      return found.stopped ? "" : fmt::format("{} is not stopped", found.who);
    case scenarios::Deed::start:
      return found.dropped ? "dropped, for the Job runs and its policy is forbid" : "";
    case scenarios::Deed::opt_out:
      if (found.opted_out > 0) return "";
      return fmt::format("members {} to {} have opted out already, or are none", event.first,
                         event.first + event.count - 1);
    case scenarios::Deed::outage:
    case scenarios::Deed::advance:
    case scenarios::Deed::lose:
    case scenarios::Deed::lose_answer:
    case scenarios::Deed::ghost:
    case scenarios::Deed::refuse:
    case scenarios::Deed::land:
      return "";
  }
  return "";
}

}  // namespace

bool EventLog::does(std::size_t event, scenarios::Deed deed, const Found& found) {
  const std::string why = why_nothing(events_[event], deed, found);
  const std::string_view name = scenarios::deed_name(deed);
  Fate& fate = fates_[event];
  if (!why.empty())
    fate.nothing.push_back(fmt::format("{}: {}", name, why));
  else if (deed != scenarios::Deed::freeze)
    fate.did.emplace_back(name);
  return why.empty();
}

void EventLog::judge(bool ended_early, reports::SenderResult& result) const {
  using reports::Verdict;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const std::string event = "the event at " + text_of_moment(events_[i]);
    const Fate& fate = fates_[i];
    if (!fate.fired) {
      if (ended_early) continue;
      result.checks.push_back({event + " happens", "it never did", Verdict::inconclusive});
      result.notes.push_back(event + " never fired: it tested nothing");
    } else if (events_[i].expects_nothing) {
      const bool nothing = fate.did.empty();
      result.checks.push_back({event + " changes nothing",
                               nothing ? fmt::format("{}", fmt::join(fate.nothing, ", "))
                                       : fmt::format("it did: {}", fmt::join(fate.did, ", ")),
                               nothing ? Verdict::passed : Verdict::inconclusive});
    } else if (!fate.nothing.empty()) {
      result.checks.push_back({event + " changes something",
                               fmt::format("{}", fmt::join(fate.nothing, ", ")),
                               Verdict::inconclusive});
      result.notes.push_back(event +
                             " tested nothing; an event that is meant to change nothing says so: "
                             "expect = \"nothing\"");
    }
  }
}

}  // namespace harness
