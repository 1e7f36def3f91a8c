#include "sim/database/changes.h"

namespace sim {

void Changes::clear() {
  members.clear();
  batches.clear();
  campaign.reset();
  provider.reset();
}

void Changes::apply_to(Tables& tables) const {
  for (const auto& change : members) tables.put(change.after);
  for (const auto& change : batches) tables.put(change.after);
  if (campaign) tables.campaign = campaign->after;
  if (provider) tables.provider = provider->after;
}

void Changes::append(const Changes& later) {
  members.insert(members.end(), later.members.begin(), later.members.end());
  batches.insert(batches.end(), later.batches.begin(), later.batches.end());
  if (later.campaign) campaign = later.campaign;
  if (later.provider) provider = later.provider;
}

}  // namespace sim
