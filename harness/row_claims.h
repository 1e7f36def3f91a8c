// What the user's row-claim statements cost over an audience, measured in the same run as the batch claims: the
// baseline that "so many times cheaper" refers to.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>

namespace harness {

// Claims and records every member of a fresh campaign once, 200 at a time, on one connection, each statement its
// own transaction. Returns the client's wall time a member. Takes about 70 us a member; ends early with an error
// when a stop is asked for (run.h).
std::expected<std::chrono::nanoseconds, std::string> measure_row_claims(
    const std::string& server_dsn, std::int64_t members);

}  // namespace harness
