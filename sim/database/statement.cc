#include "sim/database/statement.h"

namespace sim {
namespace {

// The last of the own changes to this row; nullptr: none.
template <typename Row>
const Row* own(const std::vector<Changes::Change<Row>>& changes, auto id) {
  for (std::size_t i = changes.size(); i-- > 0;) {
    if (changes[i].after.id == id) return &changes[i].after;
  }
  return nullptr;
}

}  // namespace

bool Statement::acquire(const RowKey& row, OnLocked on_locked) {
  if (!place_.session && place_.locks.empty()) return true;
  const auto holder = place_.locks.holder(row);
  if (holder && holder != place_.session) {
    if (on_locked == OnLocked::wait) waits_for_ = row;
    return false;
  }
  if (place_.session) place_.locks.take(row, *place_.session);
  return true;
}

const MemberRow* Statement::lock(core::MemberId id, OnLocked on_locked) {
  if (!acquire({RowKey::Table::members, core::number(id)}, on_locked)) return nullptr;
  const MemberRow* mine = place_.earlier ? own(place_.earlier->members, id) : nullptr;
  return mine ? mine : place_.committed.member(id);
}

const BatchRow* Statement::lock(core::BatchId id, OnLocked on_locked) {
  if (!acquire({RowKey::Table::batches, core::number(id)}, on_locked)) return nullptr;
  const BatchRow* mine = place_.earlier ? own(place_.earlier->batches, id) : nullptr;
  return mine ? mine : place_.committed.batch(id);
}

const CampaignRow* Statement::lock_campaign(OnLocked on_locked) {
  if (!acquire({RowKey::Table::campaign, 0}, on_locked)) return nullptr;
  const bool mine = place_.earlier && place_.earlier->campaign;
  return mine ? &place_.earlier->campaign->after : &place_.committed.campaign;
}

const ProviderRow* Statement::lock_provider() {
  if (!acquire({RowKey::Table::provider, 0}, OnLocked::wait)) return nullptr;
  const bool mine = place_.earlier && place_.earlier->provider;
  return mine ? &place_.earlier->provider->after : &place_.committed.provider;
}

void Statement::change(const MemberRow& before, const MemberRow& after) {
  if (!legal(after)) fail("23514");
  place_.changes.members.push_back({before, after});
}

void Statement::change(const BatchRow& before, const BatchRow& after) {
  if (!legal(after)) fail("23514");
  place_.changes.batches.push_back({before, after});
}

bool Statement::acquire_new(const RowKey& row, bool is_there) {
  if (!acquire(row, OnLocked::wait)) return false;
  if (is_there) fail("23505");
  return !is_there;
}

void Statement::insert(const BatchRow& row) {
  const bool is_there = place_.committed.batch(row.id) != nullptr;
  if (acquire_new({RowKey::Table::batches, core::number(row.id)}, is_there))
    change(BatchRow{}, row);
}

void Statement::insert(const MemberRow& row) {
  const bool is_there = place_.committed.member(row.id) != nullptr;
  if (acquire_new({RowKey::Table::members, core::number(row.id)}, is_there))
    change(MemberRow{}, row);
}

}  // namespace sim
