#include "harness/counting/job.h"

#include <algorithm>

#include "core/commands.h"

namespace harness {

Job::Pod Job::start(std::size_t run) {
  run_of_.push_back(run);
  ended_.push_back(false);
  ++running_;
  return static_cast<Pod>(run_of_.size());
}

std::vector<Job::Pod> Job::begin(std::int64_t processes, core::Duration now) {
  std::vector<Pod> pods;
  for (std::int64_t i = 0; i < processes; ++i) {
    if (runs_.empty() || rules_.policy == scenarios::JobPolicy::allow)
      runs_.push_back({.began = now});
    pods.push_back(start(runs_.size() - 1));
  }
  return pods;
}

std::vector<Job::Pod> Job::schedule(std::int64_t processes, core::Duration now) {
  if (rules_.policy == scenarios::JobPolicy::forbid && !over()) return {};
  gave_up_ = false;
  runs_.push_back({.began = now});
  std::vector<Pod> pods;
  for (std::int64_t i = 0; i < processes; ++i) pods.push_back(start(runs_.size() - 1));
  return pods;
}

std::vector<Job::Pod> Job::expire(core::Duration now) {
  std::vector<Pod> pods;
  if (rules_.active_deadline == core::Duration(0)) return pods;
  for (std::size_t pod = 0; pod < run_of_.size(); ++pod) {
    const Run& run = runs_[run_of_[pod]];
    if (!ended_[pod] && !run.failed && now - run.began >= rules_.active_deadline)
      pods.push_back(static_cast<Pod>(pod + 1));
  }
  for (const Pod pod : pods) runs_[run_of_[static_cast<std::size_t>(pod - 1)]].failed = true;
  gave_up_ = gave_up_ || !pods.empty();
  return pods;
}

Job::Decision Job::fire(core::Duration now) {
  if (rules_.policy == scenarios::JobPolicy::forbid && !over()) return {};
  runs_.push_back({.began = now});
  return {Due::start, start(runs_.size() - 1)};
}

Job::Decision Job::ended(Pod pod, int exit_code) {
  --running_;
  ended_[static_cast<std::size_t>(pod - 1)] = true;
  const std::size_t number = run_of_[static_cast<std::size_t>(pod - 1)];
  Run& run = runs_[number];
  if (exit_code == 0 || run.failed) return {};
  if (std::ranges::find(rules_.fail_on, exit_code) != rules_.fail_on.end()) {
    run.failed = true;
    // Who asks for a person says that nothing is left to do without one.
    gave_up_ = gave_up_ || exit_code != static_cast<int>(core::ExitCode::look);
    return {};
  }
  if (++run.failures > rules_.backoff_limit) {
    run.failed = gave_up_ = true;
    return {};
  }
  return {Due::start, start(number)};
}

}  // namespace harness
