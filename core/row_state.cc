#include "core/row_state.h"

namespace core {

const char* name_of(RowState state) {
  switch (state) {
    case RowState::pending:
      return "pending";
    case RowState::sent:
      return "sent";
    case RowState::failed:
      return "failed";
    case RowState::unknown:
      return "unknown";
    case RowState::skipped:
      return "skipped";
  }
  return "";
}

}  // namespace core
