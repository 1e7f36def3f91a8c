// Which choices a command has: the cells of coverage, and what a trace may say.
#pragma once

#include "sim/world/move.h"

namespace sim {

bool can_be(Command command, Choice choice);
// It is done by a worker, or to one.
constexpr bool is_of_a_worker(Command command) {
  return command < Command::time || (command >= Command::commit && command <= Command::stop);
}

}  // namespace sim
