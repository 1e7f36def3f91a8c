// The private folder of one running server, and the removal of folders whose owner died.
//
// Below a base (memory, or a disk) each user has one folder sendproof-UID, and in it a folder a
// run. A run's owner holds a lock on RUN/lock for as long as it lives; the kernel gives the lock
// back however the owner ends, so a folder whose lock can be had is an orphan. (A process id with
// its start time would say the same only inside one process namespace.)
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/postgres/child.h"

namespace harness::postgres {

class RunFolder {
 public:
  // A new folder that only `account` (else this user) can enter, on the first base with room.
  // on_disk leaves out bases in memory, whose fsync costs nothing. First ends and removes the
  // orphans of this user's earlier runs, in all bases.
  static std::expected<RunFolder, std::string> create(const std::optional<Account>& account,
                                                      bool on_disk);

  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();  // removes the folder; the server in it must have ended

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path cluster() const { return path_ / "data"; }  // PostgreSQL's data directory
  std::filesystem::path log() const { return path_ / "server.log"; }

 private:
  RunFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_;
};

// Ends every process that works in `cluster` (a postmaster and its backends do) and waits until
// they are gone.
void end_server_in(const std::filesystem::path& cluster);

}  // namespace harness::postgres
