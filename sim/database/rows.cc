#include "sim/database/rows.h"

namespace sim {

const char* name_of(BatchRow::State state) {
  switch (state) {
    case BatchRow::State::open:
      return "open";
    case BatchRow::State::leased:
      return "leased";
    case BatchRow::State::done:
      return "done";
  }
  return "";
}

bool legal(const MemberRow& row) {
  const bool ended = row.state != core::RowState::pending;
  if (ended && (row.not_before || row.retry_token)) return false;
  return row.state != core::RowState::unknown || row.maybe_sent_since;
}

bool legal(const BatchRow& row) {
  const bool leased = row.state == BatchRow::State::leased;
  if (leased != row.lease_until.has_value() || row.last < row.first) return false;
  return !leased || (row.token && row.maybe_sent_since);
}

}  // namespace sim
