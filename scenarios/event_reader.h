// Reads one [[event]]: when it happens, what is done, and to whom.
#pragma once

#include "scenarios/scenario.h"
#include "scenarios/table_reader.h"

namespace scenarios {

// before: the events that the file has above it. Errors go to the table's FirstError.
Event read_event(TableReader& in, const std::vector<Event>& before);

// Reports a `land` where no event makes a ghost.
void check_ghosts(TableReader& whole, const std::vector<Event>& events);

}  // namespace scenarios
