// A run for the tests of the reports: kill9-at-6000 as it should be.
#pragma once

#include "reports/result.h"

namespace reports {

inline RunResult sample_run() {
  RunResult run;
  run.scenario = "kill9-at-6000";
  run.title = "kill -9";
  run.postgres_version = "17.10";
  run.postgres_source = "embedded";
  run.seed = 18'446'744'073'709'551'615ULL;
  run.run = "20260401T170000Z-3fa9";
  SenderResult reference;
  reference.sender = "reference";
  reference.members = 10'000;
  reference.accepted = 9'990;
  reference.failed = 10;
  reference.repeats = 48;
  reference.requests = 10'448;
  reference.peak_rss_bytes = 18'874'368;
  reference.exit_codes = {137, 0};
  reference.wall = core::Duration(3'141'592);
  reference.skipped = core::Duration(30'000'000);
  reference.db_ns_per_member = 5'512;
  reference.db_source = "client wall time";
  reference.max_in_any_second = 9'007'199'254'740'993;
  reference.steady_per_s = 492;
  reference.checks = {{"duplicates = 0", "0", Verdict::passed},
                      {"repeats <= 200", "48", Verdict::passed}};
  SenderResult naive;
  naive.sender = "naive";
  naive.members = 10'000;
  naive.duplicates = 6'000;
  naive.lost = 149;
  naive.exit_codes = {137, 0};
  naive.checks = {{"lost = 150", "149", Verdict::failed}};
  naive.notes = {"runs in real time"};
  run.senders = {reference, naive};
  run.verdict = Verdict::failed;
  return run;
}

}  // namespace reports
