// libpq connection strings, and what answers at one.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace harness::postgres {

// Takes keyword/value strings and URIs; returns keyword/value with dbname replaced.
std::expected<std::string, std::string> with_database(const std::string& conninfo,
                                                      std::string_view database);

// Connects once, for at most 5 s. Returns PQserverVersion's number: 170010 for 17.10.
std::expected<int, std::string> server_version(const std::string& conninfo);

}  // namespace harness::postgres
