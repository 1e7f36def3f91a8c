// What a person sees while a scenario runs. On a terminal one line that is rewritten; elsewhere a
// line for each stage and one about every five seconds, so that a log shows life and stays short.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

#include "harness/run.h"

namespace harness::cli {

// Threads: any thread may call any method.
// Time: `now` is asked at each call; std::chrono::steady_clock unless a test says otherwise.
class ConsoleProgress final : public Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // Keeps a reference to `out`.
  ConsoleProgress(std::ostream& out, bool is_terminal,
                  std::function<Clock::time_point()> now = Clock::now);
  // Clears the rewritten line.
  ~ConsoleProgress() override;

  void stage(std::string_view what) override;
  void count(std::string_view sender, std::int64_t accepted, std::int64_t members,
             std::int64_t per_s) override;
  void note(std::string_view line) override;
  // What changes all the time: shown now and then.
  void moving(std::string_view line);

 private:
  void rewrite(std::string_view line);
  void print(std::string_view line);
  bool is_due(Clock::duration period);

  std::ostream& out_;
  const bool is_terminal_;
  const std::function<Clock::time_point()> now_;
  const Clock::time_point start_;
  std::mutex mutex_;
  std::string shown_;  // the rewritten line as it stands on the terminal
  Clock::time_point last_;
};

}  // namespace harness::cli
