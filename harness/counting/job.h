// Kubernetes' Job controller, as far as a run needs it: which pods start, and which lost or failed
// ones are started again. Pods with restartPolicy Never: each start is a new process.
//
// A plain value: events in, decisions out; no clock of its own, no process. The back-off delay
// between restarts (10 s, doubling) is left out: the senders under test must not depend on it.
//
// With policy forbid there is one Job: its pods share one backoff_limit, and a start that the
// CronJob would make while it runs is dropped. With allow each start is a Job of its own with its
// own backoff_limit.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.h"

namespace harness {

class Job {
 public:
  using Pod = int;  // 1, 2, ... in the order of starting

  explicit Job(const scenarios::Job& rules) : rules_(rules) {}

  // Returns the pods to start at once. now, here and below: on any clock that never goes back.
  std::vector<Pod> begin(std::int64_t processes, core::Duration now = {});
  // The CronJob's next Job, with all its pods. Empty: the one before still runs, and is not
  // overtaken.
  std::vector<Pod> schedule(std::int64_t processes, core::Duration now);
  // The pods whose Job has had its active deadline: each gets SIGTERM, once, and none is replaced.
  std::vector<Pod> expire(core::Duration now);

  enum class Due { start, dropped };
  struct Decision {
    Due due = Due::dropped;
    Pod pod = 0;  // to start, when due
  };
  // One more pod, as a Job of its own.
  Decision fire(core::Duration now = {});
  // A pod ended by itself, was killed, or was lost. `start`: a new pod takes its place; dropped: it
  // succeeded, or its Job has failed for good. Requires: the pod runs.
  Decision ended(Pod pod, int exit_code);

  // Nothing runs and nothing will be started.
  bool over() const { return running_ == 0; }
  // The last Job used up its restarts or its time, so that work may be left.
  bool gave_up() const { return gave_up_; }

 private:
  struct Run {
    core::Duration began{0};
    std::int64_t failures = 0;
    bool failed = false;
  };
  Pod start(std::size_t run);

  scenarios::Job rules_;
  std::vector<Run> runs_;
  std::vector<std::size_t> run_of_;  // by pod - 1
  std::vector<bool> ended_;          // by pod - 1
  std::int64_t running_ = 0;
  bool gave_up_ = false;
};

}  // namespace harness
