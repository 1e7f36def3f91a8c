// What a run found out, as plain values. Everything printed or written (table, JSON, JUnit) is made
// from these and from nothing else. All counts come from the provider's ledger, the database and
// the processes, never from what a sender says of itself, save where a field says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"

namespace reports {

// passed < inconclusive < failed: the worst wins. A run whose events never fired is inconclusive.
enum class Verdict { passed, inconclusive, failed };

struct Check {        // one expectation and what became of it
  std::string claim;  // "duplicates = 0"
  std::string seen;   // "0"
  Verdict verdict = Verdict::passed;
};

struct SenderResult {
  std::string sender;
  std::string choice;  // of the scenario's [[choice]]; empty: it has none
  std::int64_t members = 0;
  std::int64_t accepted = 0;          // distinct members delivered
  std::int64_t duplicates = 0;        // members with more than one delivery
  std::int64_t extra_deliveries = 0;  // deliveries beyond each member's first
  std::int64_t lost = 0;
  std::int64_t failed = 0;
  std::int64_t unknown = 0;
  std::int64_t opted_out = 0;
  std::int64_t late_opt_outs = 0;  // requests arriving > 100 ms after the opt-out's commit
  std::int64_t opt_outs_in_grace = 0;
  std::int64_t stale_writes = 0;  // said by the sender's report lines
  std::int64_t repeats = 0;       // requests absorbed by the key
  std::int64_t requests = 0;
  std::int64_t peak_rss_bytes = 0;  // the largest process
  std::vector<int> exit_codes;      // in the order in which the processes ended
  core::Duration wall{0};
  core::Duration skipped{0};                     // waiting jumped over
  std::optional<core::Duration> last_mail;       // of a CronJob's several starts: from the first
                                                 // start to the last mail delivered
  std::optional<std::int64_t> db_ns_per_member;  // printed as db_us_per_member with two decimals
  std::string db_source;                         // "client wall time" | "pg_stat_statements" | ""
  std::int64_t max_in_any_second = 0;  // requests at the provider in the busiest sliding second
  std::int64_t steady_per_s =
      0;                    // requests a second in the steady middle (the 2nd to 4th fifth of them)
  std::string ended_early;  // "at step 812, where S3 broke": what was counted is no night's result,
                            // and no expectation is held against it; empty: it came to its end
  std::vector<Check> checks;
  std::vector<std::string>
      notes;  // lines for the reader: slope, real time because..., events that never fired
};

struct RunResult {
  std::string scenario;
  std::string title;
  Verdict verdict = Verdict::passed;
  std::string tier = "process";  // or "sim", "sim-pg"
  std::string postgres_version;  // "17.10"; empty: a model of it
  std::string postgres_source;   // "embedded", "installed /usr/lib/...", "given by DSN"
  std::uint64_t seed = 0;
  std::string run;  // name of the folder out/<scenario>/<run>
  std::vector<SenderResult> senders;
};

}  // namespace reports
