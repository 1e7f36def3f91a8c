// What claiming and recording costs in the database: batch claims (ours) beside row claims (the
// previous generation's statements), on the same server, over the same audience, each by one
// worker, in batches of 200. They take turns, some batches each, so that a machine that is slower
// for a while is slower for both and their ratio holds.
//
// Time: client wall time of the statements, so seconds to minutes. Planning and loading are not
// counted.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "core/time.h"

namespace harness {

// What a whole campaign does to the members' table, and what vacuum then gives back.
struct Wear {
  std::int64_t wal_bytes = 0;  // of claims and records
  std::int64_t table_bytes_before = 0, table_bytes = 0, table_bytes_vacuumed = 0;
  std::int64_t index_bytes_before = 0, index_bytes = 0, index_bytes_vacuumed = 0;
  std::int64_t dead_rows = 0;  // when the last member was recorded; autovacuum may have been there
  std::int64_t hot_permille = 0;  // of updates: those that touched no index
  core::Duration vacuum{0};
};

struct ClaimCost {
  static constexpr std::int64_t batch = 200;  // members
  std::int64_t members = 0;
  core::Duration in_statements{0};  // claim + record of all batches
  core::Duration planning{0};       // batch claims: once
  core::Duration first_batch{0};    // median of the first tenth
  core::Duration last_batch{0};     // median of the last tenth
  core::Duration median_batch{0};
  Wear wear;
  std::int64_t ns_per_member() const { return median_batch.count() * 1000 / batch; }
  // With the batches that a checkpoint or another process held up.
  std::int64_t mean_ns_per_member() const {
    return members == 0 ? 0 : in_statements.count() * 1000 / members;
  }
};

struct ClaimCosts {
  ClaimCost batch_claims;
  ClaimCost row_claims;
};

// server_dsn: any database of the server; fresh ones are made and dropped.
// progress: called now and then with the members done by both together; false ends the measurement
// with an error.
// held_snapshot: another session keeps a snapshot from before the first claim, and vacuum can clean
// up nothing.
std::expected<ClaimCosts, std::string> compare_claims(
    const std::string& server_dsn, std::int64_t members, bool held_snapshot,
    const std::function<bool(std::int64_t)>& progress);

}  // namespace harness
