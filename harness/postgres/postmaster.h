// One PostgreSQL server process over one run folder: made from a cached cluster template, started,
// ended.
//
// Threads: a thread of its own spawns the postmaster and waits for its end, because the
// parent-death signal follows the thread that spawned, not the process.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "harness/postgres/binaries.h"
#include "harness/postgres/run_folder.h"

namespace harness::postgres {

class Postmaster {
 public:
  // Requires: folder was made for `account`. Returns once the server answers.
  static std::expected<std::unique_ptr<Postmaster>, std::string> start(
      const Binaries& binaries, RunFolder folder, const std::optional<Account>& account,
      bool durable);
  ~Postmaster();
  Postmaster(const Postmaster&) = delete;
  Postmaster& operator=(const Postmaster&) = delete;

  // The superuser's connection string, without a database.
  std::string conninfo() const;
  std::string own_trouble() const;  // of its log: cluster.h

 private:
  explicit Postmaster(RunFolder folder) : folder_(std::move(folder)) {}
  std::expected<void, std::string> await_ready() const;

  RunFolder folder_;
  std::atomic<bool> ended_ = false;
  pid_t pid_ = 0;
  std::thread waiter_;
};

}  // namespace harness::postgres
