// What claiming and recording costs in the database: batch claims (ours) beside row claims (the
// previous generation's statements), on the same server, over the same audience, by one worker,
// batch 200.
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

enum class ClaimDesign { batch_claims, row_claims };

struct ClaimCost {
  std::int64_t members = 0;
  core::Duration in_statements{0};  // claim + record of all batches
  core::Duration planning{0};       // batch claims: once
  core::Duration first_batch{0};    // median of the first tenth
  core::Duration last_batch{0};     // median of the last tenth
  std::int64_t ns_per_member() const {
    return members == 0 ? 0 : in_statements.count() * 1000 / members;
  }
};

// server_dsn: any database of the server; a fresh one is made and dropped.
// progress: called now and then with the members done; false ends the measurement with an error.
// held_snapshot: another session keeps a snapshot from before the first claim, and vacuum can clean
// up nothing.
std::expected<ClaimCost, std::string> measure_claims(
    ClaimDesign design, const std::string& server_dsn, std::int64_t members, bool held_snapshot,
    const std::function<bool(std::int64_t)>& progress);

}  // namespace harness
