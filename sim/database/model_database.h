// The statements of core/pg/statements under PostgreSQL's READ COMMITTED, in memory: one campaign
// and its provider, sessions with transactions, row locks that are waited for or skipped, and the
// second look at a row after a wait. sim/pg holds it against PostgreSQL itself.
//
// Ownership: a value; copy it to snapshot a world. Time: given with each statement. Errors: those
// that PostgreSQL would give, as answers with the SQLSTATE in `error`; the transaction is then
// rolled back and closed, and nothing of it is left.
// Cost: execute() doesn't grow with the number of members, save for plan, sweep and totals; while
// others have transactions open, a statement that waits, or follows a change in its own
// transaction, copies all rows.
//
// Limitations: one provider; rows are never deleted; member ids are 1 .. n.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/policy.h"
#include "sim/database/bystander.h"
#include "sim/database/statement.h"

namespace sim {

class ModelDatabase {
 public:
  using Request = std::variant<core::StoreCommand, Bystander>;

  // Members 1 .. members of priority 0, nothing planned, the provider's limit as the policy has it.
  ModelDatabase(const core::Policy& policy, std::int64_t members);

  // One a member. Requires: no batch is there yet.
  void set_priorities(std::span<const int> priorities) { committed_.set_priorities(priorities); }

  void set_not_after(core::DbTime moment) { committed_.campaign.not_after = moment; }

  // A statement in a transaction of its own that commits at once. Requires: it needn't wait.
  core::StoreAnswer execute(const core::StoreCommand& command, core::DbTime now);
  void execute(const Bystander& bystander, core::DbTime now);

  // BEGIN if the session has no transaction open, then the statement. A bystander's answer is
  // empty. Returns: nothing if it waits for a lock. Requires: the session doesn't wait.
  std::optional<core::StoreAnswer> run(SessionId session, const Request& request, core::DbTime now);
  // Both end the session's transaction, if there is one, and carry on who waited for it, in the
  // order in which they came. Requires, commit: the session doesn't wait.
  void commit(SessionId session);
  void rollback(SessionId session);  // also of a statement that waits: a disconnect
  bool open(SessionId session) const;
  bool waiting(SessionId session) const;
  int waiters() const;  // how many sessions wait
  // Answer of a statement that had to wait, once, after somebody's commit or rollback carried it
  // on.
  std::optional<core::StoreAnswer> woken(SessionId session);

  // As readers outside of any transaction see them.
  const std::vector<MemberRow>& members() const { return committed_.members(); }
  const std::vector<BatchRow>& batches() const { return committed_.batches(); }
  bool all_done() const { return committed_.all_done(); }  // no batch is open or leased
  const CampaignRow& campaign() const { return committed_.campaign; }
  const ProviderRow& provider() const { return committed_.provider; }

  // Of the last execute(), run() or woken().
  const Changes& changes() const { return changes_; }

  // A planted bug: the statement is without this part from now on.
  void drop(Conjunct part) { dropped_.set(static_cast<std::size_t>(part)); }

 private:
  struct Waiting {
    Request request;
    core::DbTime now;
    Tables snapshot;
    RowKey row;
  };
  struct Transaction {
    SessionId session = 0;
    Changes changes;
    std::optional<Waiting> waiting;
    std::int64_t turn = 0;  // in the queue of those who wait
  };
  struct Woken {
    SessionId session = 0;
    core::StoreAnswer answer;
    Changes changes;
  };

  Transaction* find(SessionId session);
  const Transaction* find(SessionId session) const;
  std::optional<core::StoreAnswer> attempt(Transaction& transaction, const Request& request,
                                           core::DbTime now, const Tables& seen);
  bool closes_a_circle(SessionId session, const RowKey& row) const;
  void end(SessionId session);  // drops changes and locks
  void carry_on();

  core::Policy policy_;
  Dropped dropped_;
  Tables committed_;
  Changes changes_;
  // Empty but for open transactions.
  Locks locks_;
  std::vector<Transaction> transactions_;
  std::vector<Woken> woken_;
  std::int64_t turns_ = 0;
};

}  // namespace sim
