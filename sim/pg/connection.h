// An asynchronous connection to PostgreSQL: groups of statements go out in one round trip (libpq's
// pipeline mode), the next before the last is answered if one likes, and whether an answer is there
// can be asked without waiting for it.
//
// Ownership: of the session on the server, which ends with it. Errors: std::runtime_error when the
// connection can't be made or breaks; an error of a statement is in its Result.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/pg/transport.h"
#include "core/time.h"

namespace sim::pg {

class Connection {
 public:
  explicit Connection(const std::string& dsn);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  int process() const;  // the server's, of this session

  // Adds to the group. A statement is prepared when it is first used. Requires: only the group's
  // last can fail.
  void add(const core::pg::Statement& statement, const std::vector<std::string>& params);
  void add_control(const char* sql);  // begin, commit, rollback
  // Sends the group. Unless it holds a BEGIN it is one transaction, committed at its end.
  void send();
  std::size_t sent() const { return groups_.size(); }  // groups whose results were not given yet
  // Requires: sent() > 0. Returns: the results of the earliest group's statements, in order,
  // without those of add_control(); the last has the SQLSTATE if one failed, and no more follow it.
  // Nothing: not there yet.
  std::optional<std::vector<core::pg::Result>> results(core::Duration patience);
  std::vector<core::pg::Result> await_results();

  // One statement, answered.
  core::pg::Result run(const core::pg::Statement& statement,
                       const std::vector<std::string>& params);

 private:
  struct Session;
  bool read_one();
  void wait_for_input(core::Duration patience);

  std::unique_ptr<Session> session_;
  std::set<std::string, std::less<>> prepared_;
  using Group = std::vector<bool>;  // whose result is a statement's
  Group next_;
  std::deque<Group> groups_;
  std::size_t read_ = 0;  // of the earliest
  std::vector<core::pg::Result> results_;
};

}  // namespace sim::pg
