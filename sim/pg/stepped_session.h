// A session on PostgreSQL that is moved by hand, one statement at a time, as PostgreSQL's isolation
// tester does it: a statement is sent, and is then either done or seen to wait for a lock.
//
// The statements are those of core/pg/statements to the letter. In production each is a transaction
// of its own; held inside BEGIN and COMMIT, where others may run between the two, they show what
// their lock clauses are for. That is more than production can do.
//
// Ownership: of its connection. Time: campaign_clock() says what start() was told; see
// deploy/stepped_clock.sql. Threads: none. Errors: std::runtime_error when the connection breaks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pg/codec.h"
#include "sim/pg/connection.h"
#include "sim/pg/schedule.h"

namespace sim::pg {

// A connection beside the stepped ones that can say who waits.
class Observer {
 public:
  explicit Observer(const std::string& dsn) : connection_(dsn) {}
  bool is_blocked(int process, const std::vector<int>& by);
  // Returns when the session and its locks are gone. Requires: its client has left.
  void await_end(int process, bool blocked);
  void cancel(int process);  // the statement that it is at
  Connection& connection() { return connection_; }

 private:
  Connection connection_;
};

enum class Ending {
  at_once,
  held
};  // the statement's transaction: committed with it, or left open

class SteppedSession {
 public:
  // Of deadlock_timeout, where a session begins.
  static constexpr std::string_view does_not_look = "60s";

  // Requires: dsn sets deadlock_timeout so.
  SteppedSession(std::string dsn, Observer& observer);

  int process() const { return connection_->process(); }
  bool open() const { return open_; }
  bool waiting() const { return waiting_; }

  // Requires: the session doesn't wait. others: processes that it can wait for. expected: when
  // to ask whether it waits, which costs as much as a statement. Only one that is expected to be a
  // deadlock's victim looks for deadlocks, so that who comes last is the victim, always.
  // Returns: the statement's result; nothing: it waits. After an error no transaction is open.
  std::optional<core::pg::Result> start(const core::pg::Call& call, core::DbTime now, Ending ending,
                                        const std::vector<int>& others, Expected expected);
  // Of a statement that waits: its result, once it has one; nothing: it waits still, or again.
  // ask = false: nobody has released anything since it was last asked.
  std::optional<core::pg::Result> carry_on(const std::vector<int>& others, bool ask = true);

  // A statement at once that can't wait, without waiting for its answer: several go out one after
  // the other. Requires: nobody has a transaction open, and it will not fail.
  void send(const core::pg::Call& call, core::DbTime now);
  core::pg::Result receive();  // of the earliest that was sent
  std::size_t sent() const { return connection_->sent(); }

  // Of the open transaction, if there is one. Requires: the session doesn't wait.
  void commit() { end("commit"); }
  void rollback() {
    end("rollback");
    forget();
  }
  // Of a statement that waits, as a statement time-out does it; its transaction is rolled back.
  void cancel();
  void abandon();  // whatever it is at
  // The connection breaks, also while a statement waits; returns when the server has rolled back.
  // A new one is made at once.
  void disconnect();

 private:
  std::optional<core::pg::Result> done_or_blocked(const std::vector<int>& others,
                                                  core::Duration patience);
  std::optional<core::pg::Result> take(std::optional<std::vector<core::pg::Result>> results);
  void add(const core::pg::Call& call, core::DbTime now, bool looks);
  void end(const char* how);
  void forget();

  std::string dsn_;
  Observer* observer_;
  std::optional<Connection> connection_;
  Ending ending_ = Ending::at_once;
  bool open_ = false;
  bool waiting_ = false;
  std::string told_;    // the time, as far as no rollback has undone it
  bool looks_ = false;  // for deadlocks
};

}  // namespace sim::pg
