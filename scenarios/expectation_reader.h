// Reads one line of [expect.SENDER].
#pragma once

#include <optional>

#include "scenarios/document.h"
#include "scenarios/scenario.h"
#include "scenarios/table_reader.h"

namespace scenarios {

// `duplicates = 0`, `repeats = "<= 200"`, `exit_codes = [137, 0]`. Returns: nothing after reporting
// an error.
std::optional<Expectation> read_expectation(const Entry& entry, const std::string& table,
                                            FirstError& errors);

}  // namespace scenarios
