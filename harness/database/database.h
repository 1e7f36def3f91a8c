// A connection to PostgreSQL as the harness uses it: statements in, text out. The one file here
// that knows libpqxx and catches what it throws.
//
// Threads: one at a time. Time: blocks; a statement has no time-out. Errors: a value with the
// server's words; whether the statement took effect is then unknown only if the connection was
// lost.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// One row of an answer. The views are valid during the call.
class Row {
 public:
  virtual ~Row() = default;
  virtual std::string_view text(int column) const = 0;  // "" when null
  virtual bool is_null(int column) const = 0;
  std::int64_t integer(int column) const;  // 0 when null; Requires: an integer in text
  bool boolean(int column) const { return text(column) == "t"; }
};

class Database {
 public:
  static std::expected<Database, std::string> open(const std::string& dsn);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Runs one statement, each in its own transaction. Parameters are $1, $2, ... as text. Returns
  // the number of rows changed, or returned.
  std::expected<std::int64_t, std::string> query(
      std::string_view sql, const std::vector<std::string>& parameters = {},
      const std::function<void(const Row&)>& on_row = {});
  // The first column of the one row that the statement returns.
  std::expected<std::string, std::string> value(std::string_view sql,
                                                const std::vector<std::string>& parameters = {});

 private:
  struct Inner;
  explicit Database(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

}  // namespace harness
