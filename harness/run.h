// A scenario on real parts: for each audience size and each sender a fresh database, the provider,
// the sender's processes, the scenario's events, the Job's restarts; then the counting.
//
// Ownership: everything that a run starts (processes, databases, a private server) is gone when
// run_scenario returns,
//   and dies with the harness if it is killed.
// Threads: call run_scenario from a thread that lives until the process ends (process.h). One run
// at a time. Time: blocks for the whole run. It never hangs: a run in which nothing happens for
// five minutes is an error that
//   names the processes.
// Errors: one line; nothing stays behind.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/result.h"
#include "scenarios/scenario.h"

namespace harness {

struct RunOptions {
  std::vector<std::string> senders;  // "reference", "naive" or a command; empty: usual_senders()
  std::string tier;                  // process, sim or sim-pg (scenario_run.h); empty: process,
                                     // or sim where a scenario needs its virtual time
  std::string bug;                   // planted in the simulator's reference sender
  std::string setup_file;            // .sql that runs on the plain table before a sender starts
  std::string dsn;                   // empty: a private server
  bool real_time = false;            // don't skip waiting
  bool shift_now = false;            // senders that aren't ours get a now() that can be shifted
  bool verbose = false;              // every line of every sender becomes a note on the Progress
  std::filesystem::path out_folder;  // of this run: stderr of the senders, the provider's ledger
};

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void stage(std::string_view what) = 0;
  virtual void count(std::string_view sender, std::int64_t accepted, std::int64_t members,
                     std::int64_t per_s) = 0;
  virtual void note(std::string_view line) = 0;
};

struct RunError {
  std::string message;
};

std::expected<reports::RunResult, RunError> run_scenario(const scenarios::Scenario& scenario,
                                                         const RunOptions& options,
                                                         Progress& progress);

// Makes the run in progress end soon with an error. For signal handlers: only sets a flag.
void stop_everything() noexcept;
bool stop_asked() noexcept;

}  // namespace harness
