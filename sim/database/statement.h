// One statement under READ COMMITTED while it runs: the snapshot it reads, the rows it locks, the
// changes it makes.
//
// A statement reads rows only from seen(). Before it changes one it locks it, and then looks at the
// latest version that lock() gives, as EvalPlanQual does: only the locked row's own quals are
// checked again, everything else stays as the snapshot had it. Changes are kept apart until the
// statement is done, so that its parts don't see each other's, as with WITH.
#pragma once

#include <bitset>

#include "core/policy.h"
#include "sim/database/changes.h"
#include "sim/database/conjunct.h"
#include "sim/database/locks.h"

namespace sim {

using Dropped = std::bitset<conjunct_count>;

enum class OnLocked : std::uint8_t { wait, skip };

class Statement {
 public:
  struct Place {
    const core::Policy& policy;
    const Dropped& dropped;
    const Tables& seen;       // the snapshot, and what the own transaction has changed
    const Tables& committed;  // the latest versions that others have committed
    Locks& locks;
    Changes& changes;
    std::optional<SessionId> session;  // nothing: commits at once
    const Changes* earlier = nullptr;  // of the own transaction
  };
  Statement(const Place& place, core::DbTime now) : place_(place), now_(now) {}

  const core::Policy& policy() const { return place_.policy; }
  const Tables& seen() const { return place_.seen; }
  core::DbTime now() const { return now_; }
  bool has(Conjunct part) const { return !place_.dropped[static_cast<std::size_t>(part)]; }

  // The row's latest version, locked. nullptr: it is skipped, or the statement waits.
  const MemberRow* lock(core::MemberId id, OnLocked on_locked = OnLocked::wait);
  const BatchRow* lock(core::BatchId id, OnLocked on_locked = OnLocked::wait);
  const CampaignRow* lock_campaign(OnLocked on_locked = OnLocked::wait);
  const ProviderRow* lock_provider();

  // Requires: `before` came from lock().
  void change(const MemberRow& before, const MemberRow& after);
  void change(const BatchRow& before, const BatchRow& after);
  void change(const CampaignRow& before, const CampaignRow& after) {
    place_.changes.campaign = {before, after};
  }
  void change(const ProviderRow& before, const ProviderRow& after) {
    place_.changes.provider = {before, after};
  }
  void insert(const BatchRow& row);
  void insert(const MemberRow& row);

  // Waits, or failed: the statement returns at once, and what it returns is not looked at.
  bool stopped() const { return waits_for_ || *sqlstate_ != '\0'; }
  const std::optional<RowKey>& waits_for() const { return waits_for_; }
  const char* sqlstate() const { return sqlstate_; }

 private:
  bool acquire(const RowKey& row, OnLocked on_locked);
  // The primary key: an id that another open transaction has inserted is waited for.
  bool acquire_new(const RowKey& row, bool is_there);
  void fail(const char* sqlstate) { sqlstate_ = sqlstate; }

  const Place& place_;
  core::DbTime now_;
  std::optional<RowKey> waits_for_;
  const char* sqlstate_ = "";
};

}  // namespace sim
