// One sender under test while it runs (sender_run.h): the state of the run loop, in one place; the
// methods lie in four files by what they are about.
//
// Ownership: owns the database, the provider and the processes; they end in the reverse of the
// order in which they are
//   declared here.
// Threads: all methods in the run loop's; others only put reports into reports_.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fake_mail/counters.h"
#include "harness/counting/event_log.h"
#include "harness/counting/job.h"
#include "harness/database/campaign_database.h"
#include "harness/live_process.h"
#include "harness/pods.h"
#include "harness/postgres_proxy/proxy.h"
#include "harness/provider.h"
#include "harness/sender_run.h"

namespace harness {

class RunningSender {
 public:
  explicit RunningSender(const SenderRunInput& input)
      : in_(input), job_(input.scenario.job), events_(input.scenario.events) {}
  std::expected<reports::SenderResult, RunError> run();

 private:
  using Step = std::expected<void, RunError>;
  using Clock = std::chrono::steady_clock;

  // running_sender.cc: from the empty database to the end of the Job.
  Step prepare();
  Step set_clock();
  Step start(Job::Pod pod);
  Step loop();
  Step take(const Report& report);
  Step on_line(const LineReport& report);
  Step on_end(const EndReport& report);

  // running_sender_events.cc: what the scenario does to it. `owner`: whose request was the moment.
  Step fire(std::size_t event, const std::string& owner);
  Step do_deed(std::size_t event, scenarios::Deed deed, const std::string& who,
               std::vector<std::string>& killed);
  Step signal(std::size_t event, scenarios::Deed deed, const std::string& who,
              std::vector<std::string>& killed);
  Step opt_out(std::size_t event);
  Step land();

  // running_sender_look.cc: what is looked at again and again while it runs.
  Step look();
  Step skip_waiting();
  Step give_up_on_a_hang(const fake_mail::Counters& counters);
  void enforce_memory_limit();

  // running_sender_count.cc: what came of it.
  Step count();

  bool only_memory() const {
    return in_.scenario.measure_memory && in_.subject.kind == Subject::Kind::naive;
  }
  // The time that the sender reads in the database is one that we can move.
  bool reads_our_clock() const {
    return in_.subject.kind == Subject::Kind::reference || in_.options.shift_now;
  }
  bool keeps_states() const { return in_.subject.kind == Subject::Kind::reference; }
  bool skips() const { return reads_our_clock() && !in_.options.real_time; }
  void note(std::string line) { result_.notes.push_back(std::move(line)); }
  // In the run's folder: SENDER-MEMBERS.what
  std::filesystem::path file(const std::string& what) const;

  const SenderRunInput& in_;
  reports::SenderResult result_;
  std::optional<CampaignDatabase> database_;
  Audience audience_;  // as it was before the sender started
  std::unique_ptr<Provider> provider_;
  Reports reports_;
  std::unique_ptr<postgres_proxy::Proxy> proxy_;  // where an event waits for a statement
  Pods pods_;
  Job job_;
  EventLog events_;
  struct OptOut {
    std::int64_t member;
    std::int64_t commit_us;  // system clock
  };
  std::vector<OptOut> opt_outs_;
  std::int64_t db_us_ = -1;  // as the processes that finished say; -1: none did
  std::int64_t last_requests_ = 0;
  std::int64_t last_accepted_ = 0;
  Clock::time_point last_sign_of_life_ = Clock::now();
  Clock::time_point last_count_ = Clock::now();
};

// The same error, one layer up.
template <typename T>
std::expected<void, RunError> as_error(const std::expected<T, std::string>& done) {
  if (!done) return std::unexpected(RunError{done.error()});
  return {};
}

}  // namespace harness
