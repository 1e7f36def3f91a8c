#include <fmt/format.h>
#include <signal.h>

#include "harness/running_sender.h"

namespace harness {
namespace {

constexpr std::chrono::seconds dies_within{10};

}  // namespace

RunningSender::Step RunningSender::do_deed(const scenarios::Event& event, scenarios::Deed deed,
                                           const std::string& who,
                                           std::vector<std::string>& killed) {
  LiveProcess* const process = pods_.alive(who);
  const auto signal = [&](int number) {
    if (process != nullptr) return process->process->signal(number);
    note(fmt::format("at mail {}: no process {} to signal", event.accept, who));
    return false;
  };
  switch (deed) {
    case scenarios::Deed::freeze:
      if (event.when == scenarios::Moment::accept) return {};  // the provider did it itself
      return as_error(provider_->freeze());
    case scenarios::Deed::kill:
      if (signal(SIGKILL)) {
        killed.push_back(who);
        if (!process->process->wait(dies_within))
          return std::unexpected(RunError{who + " was killed and does not end"});
      }
      return {};
    case scenarios::Deed::stop:
      if (signal(SIGSTOP)) process->frozen = true;
      return {};
    case scenarios::Deed::proceed:
      if (signal(SIGCONT)) process->frozen = false;
      return {};
    case scenarios::Deed::start: {
      const Job::Decision decision = job_.fire();
      if (decision.due == Job::Due::start) return start(decision.pod);
      note("a start was dropped: the Job runs and its policy is forbid");
      return {};
    }
    case scenarios::Deed::opt_out:
      for (std::int64_t member = event.first;
           member < event.first + event.count && member <= in_.members; ++member) {
        if (stop_asked()) return std::unexpected(RunError{"stopped"});
        const auto commit_us = database_->opt_out(member);
        if (!commit_us) return as_error(commit_us);
        if (*commit_us) opt_outs_.push_back({member, **commit_us});
      }
      return {};
    case scenarios::Deed::outage:
      return as_error(provider_->outage(event.lasts));
    case scenarios::Deed::advance:
      if (reads_our_clock()) {
        if (auto done = database_->skip(event.lasts); !done) return as_error(done);
      } else {
        note("only the provider's clock was advanced: the sender reads now(), see --shift-now");
      }
      return as_error(provider_->advance(event.lasts));
  }
  return {};
}

RunningSender::Step RunningSender::fire(std::size_t number, const std::string& owner) {
  const scenarios::Event& event = in_.scenario.events[number];
  fired_[number] = true;
  const std::string who = event.who == "owner" ? owner : event.who;
  std::vector<std::string> killed;
  for (const scenarios::Deed deed : event.deeds) {
    if (auto done = do_deed(event, deed, who, killed); !done) return done;
  }
  // Requests of the killed that wait in the frozen provider were never answered and are never
  // accepted.
  if (event.freezes()) return as_error(provider_->thaw(killed));
  return {};
}

}  // namespace harness
