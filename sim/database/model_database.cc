#include "sim/database/model_database.h"

#include <algorithm>
#include <utility>

#include "sim/database/statements.h"

namespace sim {
namespace {

using core::DbTime;
using core::StoreAnswer;

struct Run {
  Statement& s;
  using Result = decltype(StoreAnswer::result);

  Result operator()(const core::Plan& c) const { return plan(s, c); }
  Result operator()(const core::ClaimBatch& c) const { return claim_batch(s, c); }
  Result operator()(const core::ClaimRetries& c) const { return claim_retries(s, c); }
  Result operator()(const core::ReadBack& c) const {
    return c.retries ? read_back_retries(s, c.token) : read_back_batch(s, c.token);
  }
  Result operator()(const core::ReserveSlots& c) const { return reserve_slots(s, c.count); }
  Result operator()(const core::Recheck& c) const { return recheck(s, c); }
  Result operator()(const core::RecordBatch& c) const { return record_batch(s, c); }
  Result operator()(const core::RecordRetries& c) const { return record_retries(s, c); }
  Result operator()(const core::Pause& c) const { return pause(s, c.length); }
  Result operator()(const core::Sweep& c) const { return sweep(s, c); }
  Result operator()(const core::CountTotals&) const { return totals(s); }
  Result operator()(const core::SkipStale&) const { return skip_stale(s); }

  Result operator()(const OptOut& b) const { return opt_out(s, b.member), Result(); }
  Result operator()(const WithdrawOptOut& b) const {
    return withdraw_opt_out(s, b.member), Result();
  }
  Result operator()(const Suppress& b) const { return suppress(s, b.member), Result(); }
  Result operator()(const RetryNow& b) const { return retry_now(s, b.member), Result(); }
  Result operator()(const PauseCampaign& b) const { return pause_campaign(s, b.paused), Result(); }
  Result operator()(const AddMember& b) const { return add_member(s, b.priority), Result(); }

  Result operator()(const core::StoreCommand& command) const { return std::visit(*this, command); }
  Result operator()(const Bystander& bystander) const { return std::visit(*this, bystander); }
};

// As core/pg's codec has it: class 40 may be gone when it is sent again, class 23 never will.
StoreAnswer failure(std::string_view sqlstate) {
  StoreAnswer answer;
  answer.status = sqlstate == "40P01" ? core::StoreStatus::not_done : core::StoreStatus::refused;
  answer.error = sqlstate;
  return answer;
}

core::Duration interval(const core::Policy& policy) {
  const std::int64_t rate = policy.rate_per_s;
  return core::Duration(rate == 0 ? 0 : (1'000'000 + rate - 1) / rate);
}

}  // namespace

ModelDatabase::ModelDatabase(const core::Policy& policy, std::int64_t members)
    : policy_(policy), committed_(members, interval(policy)) {}

StoreAnswer ModelDatabase::execute(const core::StoreCommand& command, DbTime now) {
  changes_.clear();
  const Statement::Place place{policy_, dropped_, committed_,   committed_,
                               locks_,  changes_, std::nullopt, nullptr};
  Statement statement(place, now);
  StoreAnswer answer;
  answer.result = std::visit(Run{statement}, command);
  ASSERT(!statement.waits_for());
  if (statement.stopped()) {
    changes_.clear();
    return failure(statement.sqlstate());
  }
  answer.db_now = now;
  changes_.apply_to(committed_);
  return answer;
}

void ModelDatabase::execute(const Bystander& bystander, DbTime now) {
  changes_.clear();
  const Statement::Place place{policy_, dropped_, committed_,   committed_,
                               locks_,  changes_, std::nullopt, nullptr};
  Statement statement(place, now);
  Run{statement}(bystander);
  ASSERT(!statement.stopped());
  changes_.apply_to(committed_);
}

std::optional<StoreAnswer> ModelDatabase::run(SessionId session, const Request& request,
                                              DbTime now) {
  Transaction* transaction = find(session);
  if (transaction == nullptr) {
    transaction = &transactions_.emplace_back();
    transaction->session = session;
  }
  ASSERT(!transaction->waiting);
  std::optional<StoreAnswer> answer;
  if (transaction->changes.empty()) {
    answer = attempt(*transaction, request, now, committed_);
  } else {
    Tables seen = committed_;
    transaction->changes.apply_to(seen);
    answer = attempt(*transaction, request, now, seen);
  }
  if (find(session) == nullptr) carry_on();  // an error ended it
  return answer;
}

// Leaves the transaction waiting, or with the statement's changes added, or ended by an error.
std::optional<StoreAnswer> ModelDatabase::attempt(Transaction& transaction, const Request& request,
                                                  DbTime now, const Tables& seen) {
  changes_.clear();
  const Statement::Place place{policy_,
                               dropped_,
                               seen,
                               committed_,
                               locks_,
                               changes_,
                               transaction.session,
                               &transaction.changes};
  Statement statement(place, now);
  StoreAnswer answer;
  answer.result = std::visit(Run{statement}, request);
  const char* sqlstate = statement.sqlstate();
  if (const auto& row = statement.waits_for()) {
    changes_.clear();
    if (!closes_a_circle(transaction.session, *row)) {
      transaction.waiting = Waiting{request, now, seen, *row};
      transaction.turn = ++turns_;
      return std::nullopt;
    }
    sqlstate = "40P01";
  }
  if (*sqlstate != '\0') {
    changes_.clear();
    end(transaction.session);
    return failure(sqlstate);
  }
  answer.db_now = now;
  transaction.changes.append(changes_);
  return answer;
}

bool ModelDatabase::closes_a_circle(SessionId session, const RowKey& row) const {
  auto holder = locks_.holder(row);
  while (holder && *holder != session) {
    const Transaction* other = find(*holder);
    if (other == nullptr || !other->waiting) return false;
    holder = locks_.holder(other->waiting->row);
  }
  return holder.has_value();
}

void ModelDatabase::commit(SessionId session) {
  const Transaction* transaction = find(session);
  if (transaction == nullptr) return;
  ASSERT(!transaction->waiting);
  transaction->changes.apply_to(committed_);
  end(session);
  carry_on();
}

void ModelDatabase::rollback(SessionId session) {
  if (find(session) == nullptr) return;
  end(session);
  carry_on();
}

void ModelDatabase::end(SessionId session) {
  locks_.release(session);
  std::erase_if(transactions_, [session](const Transaction& t) { return t.session == session; });
}

// The statement of whoever waited longest for a row that is free now runs again from its start, on
// the snapshot it began with; the locks it got before the wait are still its own.
void ModelDatabase::carry_on() {
  for (;;) {
    Transaction* next = nullptr;
    for (Transaction& transaction : transactions_) {
      if (!transaction.waiting || locks_.holder(transaction.waiting->row)) continue;
      if (next == nullptr || transaction.turn < next->turn) next = &transaction;
    }
    if (next == nullptr) return;
    const Waiting waited = std::move(*next->waiting);
    next->waiting.reset();
    const SessionId session = next->session;
    auto answer = attempt(*next, waited.request, waited.now, waited.snapshot);
    if (answer) woken_.push_back({session, std::move(*answer), std::exchange(changes_, {})});
  }
}

std::optional<StoreAnswer> ModelDatabase::woken(SessionId session) {
  const auto at = std::find_if(woken_.begin(), woken_.end(),
                               [session](const Woken& w) { return w.session == session; });
  if (at == woken_.end()) return std::nullopt;
  changes_ = std::move(at->changes);
  StoreAnswer answer = std::move(at->answer);
  woken_.erase(at);
  return answer;
}

bool ModelDatabase::open(SessionId session) const {
  return find(session) != nullptr;
}

bool ModelDatabase::waiting(SessionId session) const {
  const Transaction* transaction = find(session);
  return transaction != nullptr && transaction->waiting;
}

int ModelDatabase::waiters() const {
  return static_cast<int>(
      std::count_if(transactions_.begin(), transactions_.end(),
                    [](const Transaction& t) { return t.waiting.has_value(); }));
}

ModelDatabase::Transaction* ModelDatabase::find(SessionId session) {
  return const_cast<Transaction*>(std::as_const(*this).find(session));
}

const ModelDatabase::Transaction* ModelDatabase::find(SessionId session) const {
  for (const Transaction& transaction : transactions_) {
    if (transaction.session == session) return &transaction;
  }
  return nullptr;
}

}  // namespace sim
