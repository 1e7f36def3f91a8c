// Reads one [[event]]: when it happens, what is done, and to whom.
#pragma once

#include "scenarios/scenario.h"
#include "scenarios/table_reader.h"

namespace scenarios {

// Errors go to the table's FirstError.
Event read_event(TableReader& in);

}  // namespace scenarios
