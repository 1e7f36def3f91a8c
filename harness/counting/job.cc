#include "harness/counting/job.h"

namespace harness {

Job::Pod Job::start(std::size_t run) {
  run_of_.push_back(run);
  ++running_;
  return static_cast<Pod>(run_of_.size());
}

std::vector<Job::Pod> Job::begin(std::int64_t processes) {
  std::vector<Pod> pods;
  for (std::int64_t i = 0; i < processes; ++i) {
    if (runs_.empty() || rules_.policy == scenarios::JobPolicy::allow) runs_.emplace_back();
    pods.push_back(start(runs_.size() - 1));
  }
  return pods;
}

Job::Decision Job::fire() {
  if (rules_.policy == scenarios::JobPolicy::forbid && !over()) return {};
  runs_.emplace_back();
  return {Due::start, start(runs_.size() - 1)};
}

Job::Decision Job::ended(Pod pod, int exit_code) {
  --running_;
  const std::size_t number = run_of_[static_cast<std::size_t>(pod - 1)];
  Run& run = runs_[number];
  if (exit_code == 0 || run.failed) return {};
  if (++run.failures > rules_.backoff_limit) {
    run.failed = gave_up_ = true;
    return {};
  }
  return {Due::start, start(number)};
}

}  // namespace harness
