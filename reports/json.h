// A run as one JSON document: what `harness run --json` prints and summary.json holds.
#pragma once

#include <string>

#include "reports/result.h"

namespace reports {

// Returns: indented by 2, ending in a newline. 64-bit integers are exact; db_us_per_member is null
// when it was not measured, rounded to two decimals else; wall_s and skipped_s are rounded to
// three. Invalid UTF-8 in a sender's command becomes U+FFFD.
std::string to_json(const RunResult& run);

}  // namespace reports
