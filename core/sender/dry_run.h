// What a run would do, without doing it.
#pragma once

#include "core/pg/store.h"
#include "core/sender/settings.h"

namespace core::sender {

// Prints who would be mailed (the first `members` of them), how many and how long it takes at
// least. Changes nothing. Returns: the exit code.
int print_dry_run(const Settings& settings, pg::PgStore& store, const pg::PgStore::Opened& opened,
                  std::int64_t members);

}  // namespace core::sender
