#include "core/pg/claim_start.h"

#include <algorithm>
#include <cstdint>

namespace core::pg {
namespace {

DbTime time_in(const std::optional<std::string>& column) {
  return DbTime(Duration(std::stoll(column.value())));
}

// The claimed batch, or of the claimed members the one that was due last; empty: nothing was found.
std::vector<std::string> last_claimed(bool of_batches, const std::vector<Row>& rows) {
  if (of_batches) {
    const Row& claim = rows.at(0);
    if (!claim.at(1)) return {};
    return {claim.at(9).value(), claim.at(10).value()};
  }
  std::int64_t due = -1;
  for (const Row& row : rows) {
    if (row.at(8)) due = std::max<std::int64_t>(due, std::stoll(*row[8]));
  }
  if (due < 0) return {};
  return {std::to_string(due)};
}

}  // namespace

std::optional<std::size_t> ClaimStart::kind(const StoreCommand& command) {
  if (std::holds_alternative<ClaimBatch>(command)) return 0;
  if (const auto* retries = std::get_if<ClaimRetries>(&command)) return retries->suspects ? 2 : 1;
  return std::nullopt;
}

bool ClaimStart::move(const StoreCommand& command, Call& call) const {
  const auto which = kind(command);
  if (!which || !starts_[*which]) return false;
  const Start& start = *starts_[*which];
  const Duration since = start.now - start.head_looked;
  if (start.at.empty() || since < Duration(0) || since >= head_every) return false;
  std::ranges::copy(start.at, call.params.end() - std::ssize(start.at));
  return true;
}

void ClaimStart::heard(const StoreCommand& command, bool moved, const std::vector<Row>& rows) {
  const auto which = kind(command);
  if (!which) return;
  std::optional<Start>& start = starts_[*which];
  const DbTime now = time_in(rows.at(0).at(0));
  if (!start) start = Start{{}, DbTime{}, DbTime{}};
  start->now = now;
  if (!moved) start->head_looked = now;
  start->at = last_claimed(*which == 0, rows);
}

}  // namespace core::pg
