// What came of a step, for a reader: what the database answered, what changed in rows, mails and
// processes. Read off the world before and after it and off the database's own answers, so that it
// is what really happened, not what a worker believes.
#pragma once

#include <string>
#include <vector>

#include "sim/database/database_call.h"
#include "sim/world/world.h"

namespace sim {

struct CameOf {
  std::string text;      // parts joined by "; "; empty if nothing is worth a word
  bool changes = false;  // a row, a mail, a claim or a process: more than looking and waiting
};

// calls: what the step asked of the database. The verdict is not told.
CameOf came_of(const World& before, const World& after, const Move& move,
               const std::vector<DatabaseCall>& calls);

}  // namespace sim
