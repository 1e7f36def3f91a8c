// Row locks of open transactions. One strength: of those our statements take, FOR UPDATE and
// UPDATE's FOR NO KEY UPDATE, each conflicts with each. The FOR KEY SHARE of the foreign key from
// campaign_batches falls on a row that the same transaction has locked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sim {

using SessionId = int;

struct RowKey {
  enum class Table : std::uint8_t { members, batches, campaign, provider };
  Table table{};
  std::int64_t id = 0;
  bool operator==(const RowKey&) const = default;
};

class Locks {
 public:
  bool empty() const { return locks_.empty(); }
  std::optional<SessionId> holder(const RowKey& row) const {
    for (const Lock& lock : locks_) {
      if (lock.row == row) return lock.session;
    }
    return std::nullopt;
  }
  void take(const RowKey& row, SessionId session) {
    if (!holder(row)) locks_.push_back({row, session});
  }
  void release(SessionId session) {
    std::erase_if(locks_, [session](const Lock& lock) { return lock.session == session; });
  }

 private:
  struct Lock {
    RowKey row;
    SessionId session;
  };
  std::vector<Lock> locks_;
};

}  // namespace sim
