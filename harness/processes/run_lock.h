// Which processes belong to which run, in a way that survives the harness: every sender of a run
// carries the path of the run's lock file in its environment, and the harness holds a lock on that
// file as long as it lives. The kernel gives the lock back however the harness ends, so a process
// whose run's lock can be had is an orphan. (A pid and its start time would say the same only
// inside one pid namespace.)
#pragma once

#include <expected>
#include <filesystem>
#include <string>

namespace harness {

inline constexpr const char* run_lock_variable = "SENDPROOF_RUN_LOCK";

class RunLock {
 public:
  // Makes and locks a file in `folder`, which must exist. First ends the orphans of this user's
  // earlier runs.
  static std::expected<RunLock, std::string> take(const std::filesystem::path& folder);
  RunLock(RunLock&&) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();  // removes the file

  const std::filesystem::path& file() const { return file_; }

 private:
  RunLock(std::filesystem::path file, int descriptor);
  std::filesystem::path file_;
  int descriptor_ = -1;
};

// Returns how many processes it ended. Those of other users and of live runs are left alone.
int end_orphans();

}  // namespace harness
