#include "sim/trace/cell.h"

namespace sim {

bool can_be(Command command, Choice choice) {
  switch (choice) {
    case Choice::done:
      return command != Command::freeze;
    case Choice::lost:
    case Choice::lost_done:
    case Choice::undone:
    case Choice::ghost:
    case Choice::held:
      return is_statement(command);
    case Choice::slow:
    case Choice::never:
    case Choice::silent:
    case Choice::reset:
    case Choice::unconnected:
    case Choice::unavailable:
    case Choice::accepted_503:
    case Choice::throttled:
      return command == Command::send;
    case Choice::brief:
    case Choice::past_lease:
      return command == Command::freeze;
    case Choice::little:
      return command == Command::time;
  }
  return false;
}

}  // namespace sim
