// Transport over libpqxx.
//
// Ownership: holds one connection, made at the first statement and again after it broke.
// Threads:   one at a time.
// Time:      blocks: up to the DSN's connect_timeout to connect, up to statement_timeout a
// statement.
#pragma once

#include <memory>
#include <string>

#include "core/pg/transport.h"
#include "core/time.h"

namespace core::pg {

struct ConnectionSettings {
  std::string dsn;                // keyword/value or URI, as libpq takes it
  Duration statement_timeout{0};  // 0: the server's
  bool transaction_pooler =
      false;  // behind PgBouncer in transaction mode: no session state, no named statements
  std::string application_name = "campaign_sender";
};

// What libpq says of a connection string that it can't read; "" when it can.
std::string dsn_problem(const std::string& dsn);

std::unique_ptr<Transport> connect_with_pqxx(const ConnectionSettings& settings);

}  // namespace core::pg
