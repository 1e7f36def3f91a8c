// libpq connection strings, and what answers at one.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

struct pg_conn;  // libpq's PGconn

namespace harness::postgres {

using Connection = std::unique_ptr<pg_conn, void (*)(pg_conn*)>;

// Tries once, for at most 5 s. Notices are dropped. Errors: libpq's message, one line.
std::expected<Connection, std::string> connect(const std::string& conninfo);

// Takes keyword/value strings and URIs; returns keyword/value with dbname replaced.
std::expected<std::string, std::string> with_database(const std::string& conninfo,
                                                      std::string_view database);
// The same, with host and port replaced.
std::expected<std::string, std::string> with_address(const std::string& conninfo,
                                                     std::string_view host, std::string_view port);

// Returns PQserverVersion's number: 170010 for 17.10. Errors as connect().
std::expected<int, std::string> server_version(const std::string& conninfo);

}  // namespace harness::postgres
