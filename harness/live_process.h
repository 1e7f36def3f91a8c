// The sender's processes of one run, alive and ended, and the queue on which they report.
//
// Threads: Reports is written by any thread and read by the run loop; LiveProcess belongs to the
// run loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "harness/counting/job.h"
#include "harness/counting/sender_line.h"
#include "harness/processes/process.h"

namespace harness {

struct LineReport {
  Job::Pod pod = 0;
  std::string text;
  std::optional<SenderLine> line;
};
struct EndReport {
  Job::Pod pod = 0;
  Ended ended;
};
struct TriggerReport {  // the moment that an event waits for has come
  std::size_t event = 0;
  std::string owner;  // whose request or statement it was
};
struct BrokenReport {  // a watching thread can't go on
  std::string message;
};
using Report = std::variant<LineReport, EndReport, TriggerReport, BrokenReport>;

class Reports {
 public:
  void put(Report report);
  // The next one in the order of arrival; waits at most so long.
  std::optional<Report> next(std::chrono::milliseconds at_most);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Report> waiting_;
};

struct LiveProcess {
  Job::Pod pod = 0;
  std::string owner;  // "p1"
  std::unique_ptr<Process> process;
  bool ended = false;
  bool frozen = false;  // SIGSTOP
  SenderLine last;      // what it said last
  std::int64_t peak_rss_bytes = 0;
};

}  // namespace harness
