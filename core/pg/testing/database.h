// A database of a test's own: made, migrated, dropped at the end. Its clock is moved, never waited
// for.
//
// Needs SENDPROOF_PG_DSN, a superuser's connection string: `./dev test` sets it. Without it a test
// fails and says so. Errors: thrown as std::runtime_error; GoogleTest reports the line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pg/store.h"
#include "core/time.h"

namespace core::pg::testing {

// A connection of its own, to hold locks and open transactions beside the one under test.
class Session {
 public:
  explicit Session(const std::string& dsn);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Rows of text; null is nothing.
  std::vector<Row> rows(const std::string& sql);
  void run(const std::string& sql) { rows(sql); }
  std::string value(const std::string& sql);  // of one row and column
  std::int64_t number(const std::string& sql) { return std::stoll(value(sql)); }
  std::vector<MemberId> members(const std::string& sql);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

class Database {
 public:
  enum class Schema { none, plain, migrated };
  explicit Database(Schema schema = Schema::migrated);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& dsn() const { return dsn_; }
  Session& sql() { return *session_; }

  // Members first .. last of `campaign`, address m<id>@example.org.
  void add_members(std::int64_t first, std::int64_t last, const std::string& campaign = "spring");
  // campaign_clock() moves ahead.
  void pass(Duration duration);
  // A store on a connection of its own, and the campaign's and the provider's rows. Waits for no
  // lock for long: where the code under test should not wait at all, a wait ends as an error
  // instead of hanging.
  std::unique_ptr<PgStore> store(const Policy& policy, const std::string& campaign = "spring");

 private:
  std::string name_;
  std::string dsn_;
  std::unique_ptr<Session> session_;
};

}  // namespace core::pg::testing
