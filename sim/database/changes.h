// What one statement, or one open transaction, changed.
#pragma once

#include <optional>
#include <vector>

#include "sim/database/rows.h"
#include "sim/database/tables.h"

namespace sim {

struct Changes {
  template <typename Row>
  struct Change {
    Row before;
    Row after;
  };
  std::vector<Change<MemberRow>> members;  // a new one: before.id is 0
  std::vector<Change<BatchRow>> batches;   // the same
  std::optional<Change<CampaignRow>> campaign;
  std::optional<Change<ProviderRow>> provider;

  bool empty() const { return members.empty() && batches.empty() && !campaign && !provider; }
  void clear();
  void apply_to(Tables& tables) const;
  // As if `later` had been part of it.
  void append(const Changes& later);
};

}  // namespace sim
