// A database of a test's own, migrated, whose sessions are told the time.
#pragma once

#include "core/pg/testing/database.h"
#include "harness/postgres/sql_script.h"
#include "sim/pg/postgres_side.h"

namespace sim::pg::testing {

class SteppedServer {
 public:
  SteppedServer() : stepped_(prepared(database_)) {}
  SteppedDatabase& stepped() { return stepped_; }
  const std::string& dsn() const { return database_.dsn(); }

 private:
  static std::string prepared(core::pg::testing::Database& database) {
    using namespace harness::postgres;
    const auto script = read_sql_script(SENDPROOF_ROOT "/deploy/stepped_clock.sql");
    if (!script) throw std::runtime_error(script.error());
    const auto run = run_sql_script(*script, database.dsn());
    if (!run) throw std::runtime_error(run.error());
    return database.dsn();
  }

  core::pg::testing::Database database_;
  SteppedDatabase stepped_;
};

}  // namespace sim::pg::testing
