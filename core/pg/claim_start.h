// Where a connection's claims start to look: at what it claimed last, not at the head of the order.
// While some other session holds back vacuum, everything that was claimed before lies dead at the
// head, and each claim would walk over it: 12,000 index entries at the end of 1.2 million members.
//
// What lies behind (handed back, a lease that has ended) is found by looking from the head again:
// once the database's clock is a second further, and whenever nothing is found ahead.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/pg/codec.h"

namespace core::pg {

class ClaimStart {
 public:
  static constexpr Duration head_every{1'000'000};

  // Moves a claim's start away from the head. Returns: false if it stays there, or is no claim.
  bool move(const StoreCommand& command, Call& call) const;
  // What came of the claim. Requires: it was answered without an error.
  void heard(const StoreCommand& command, bool moved, const std::vector<Row>& rows);

 private:
  struct Start {
    std::vector<std::string> at;  // the statement's last parameters
    DbTime head_looked{};
    DbTime now{};  // as last heard
  };
  static std::optional<std::size_t> kind(const StoreCommand& command);

  std::array<std::optional<Start>, 3> starts_;  // of batches, retries, suspects
};

}  // namespace core::pg
