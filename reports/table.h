// A run as a table for the terminal: a column a sender (and audience size), a row a field.
#pragma once

#include <string>

#include "reports/result.h"

namespace reports {

struct TableStyle {
  bool colour = false;  // for terminals only
  int columns_max = 100;
};

// Returns: lines no wider than `columns_max` (at least 80 is kept to), in several blocks when the
// senders don't fit side by side. A value that is not as expected is followed by "! expected ..."
// (failed) or "? expected ..." (inconclusive). Begins with the scenario's title and ends with what
// did not hold, the notes, where the numbers come from, and the verdict.
std::string to_table(const RunResult& run, const TableStyle& style = {});

}  // namespace reports
