#include <fmt/format.h>
#include <signal.h>

#include "harness/running_sender.h"

namespace harness {
namespace {

constexpr std::chrono::seconds dies_within{10};
constexpr std::chrono::seconds lands_within{30};  // longer than any statement time-out

}  // namespace

RunningSender::Step RunningSender::signal(std::size_t number, scenarios::Deed deed,
                                          const std::string& who,
                                          std::vector<std::string>& killed) {
  LiveProcess* const process = pods_.alive(who);
  const auto send = [&](int signal) {
    Found found{.who = who, .alive = process != nullptr};
    if (process != nullptr) {
      found.stopped = process->frozen;
      found.alive = process->process->signal(signal);
    }
    return events_.does(number, deed, found);
  };
  if (deed == scenarios::Deed::kill) {
    if (!send(SIGKILL)) return {};
    killed.push_back(who);
    if (!process->process->wait(dies_within))
      return std::unexpected(RunError{who + " was killed and does not end"});
  } else if (deed == scenarios::Deed::stop) {
    if (send(SIGSTOP)) process->frozen = true;
  } else if (send(SIGCONT)) {
    process->frozen = false;
  }
  return {};
}

RunningSender::Step RunningSender::opt_out(std::size_t number) {
  const scenarios::Event& event = in_.scenario.events[number];
  Found found;
  for (std::int64_t member = event.first;
       member < event.first + event.count && member <= in_.members; ++member) {
    if (stop_asked()) return std::unexpected(RunError{"stopped"});
    const auto commit_us = database_->opt_out(member);
    if (!commit_us) return as_error(commit_us);
    if (!*commit_us) continue;
    opt_outs_.push_back({member, **commit_us});
    ++found.opted_out;
  }
  events_.does(number, scenarios::Deed::opt_out, found);
  return {};
}

RunningSender::Step RunningSender::do_deed(std::size_t number, scenarios::Deed deed,
                                           const std::string& who,
                                           std::vector<std::string>& killed) {
  const scenarios::Event& event = in_.scenario.events[number];
  switch (deed) {
    case scenarios::Deed::freeze:
      events_.does(number, deed);
      if (event.when == scenarios::Moment::accept) return {};  // the provider did it itself
      return as_error(provider_->freeze());
    case scenarios::Deed::kill:
    case scenarios::Deed::stop:
    case scenarios::Deed::proceed:
      return signal(number, deed, who, killed);
    case scenarios::Deed::start: {
      const Job::Decision decision = job_.fire();
      if (!events_.does(number, deed, {.dropped = decision.due == Job::Due::dropped})) return {};
      return start(decision.pod);
    }
    case scenarios::Deed::opt_out:
      return opt_out(number);
    case scenarios::Deed::outage:
      events_.does(number, deed);
      return as_error(provider_->outage(event.lasts));
    case scenarios::Deed::advance:
      events_.does(number, deed);
      if (reads_our_clock()) {
        if (auto done = database_->skip(event.lasts); !done) return as_error(done);
      } else {
        note("only the provider's clock was advanced: the sender reads now(), see --shift-now");
      }
      return as_error(provider_->advance(event.lasts));
    case scenarios::Deed::lose:
    case scenarios::Deed::lose_answer:
    case scenarios::Deed::ghost:
    case scenarios::Deed::refuse:
      events_.does(number, deed);
      return {};  // the proxy does it
    case scenarios::Deed::land:
      events_.does(number, deed);
      return land();
  }
  return {};
}

RunningSender::Step RunningSender::land() {
  if (!proxy_) return {};
  return as_error(proxy_->land(lands_within));
}

RunningSender::Step RunningSender::fire(std::size_t number, const std::string& owner) {
  const scenarios::Event& event = in_.scenario.events[number];
  events_.fires(number);
  const std::string who = event.who == "owner" ? owner : event.who;
  std::vector<std::string> killed;
  for (const scenarios::Deed deed : event.deeds) {
    if (auto done = do_deed(number, deed, who, killed); !done) return done;
  }
  if (event.when == scenarios::Moment::statement) proxy_->go_on(number);
  if (event.does(scenarios::Deed::ghost) && !in_.scenario.has_event_that(scenarios::Deed::land))
    if (auto done = land(); !done) return done;
  // Requests of the killed that wait in the frozen provider were never answered and are never
  // accepted.
  if (event.freezes()) return as_error(provider_->thaw(killed));
  return {};
}

}  // namespace harness
