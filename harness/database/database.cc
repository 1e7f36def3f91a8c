#include "harness/database/database.h"

#include <charconv>
#include <optional>
#include <pqxx/pqxx>

// libpqxx 7.10 renames exec_params to exec and warns about the old name; 6.4 knows only the old
// one.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace harness {
namespace {

class PqxxRow : public Row {
 public:
  explicit PqxxRow(const pqxx::row& row) : row_(row) {}
  std::string_view text(int column) const override {
    const auto field = row_[static_cast<pqxx::row::size_type>(column)];
    return {field.c_str(), field.size()};
  }
  bool is_null(int column) const override {
    return row_[static_cast<pqxx::row::size_type>(column)].is_null();
  }

 private:
  const pqxx::row& row_;
};

std::string one_line(std::string_view text) {
  std::string line(text);
  while (!line.empty() && line.back() == '\n') line.pop_back();
  for (char& c : line)
    if (c == '\n') c = ' ';
  return line;
}

}  // namespace

std::int64_t Row::integer(int column) const {
  std::int64_t value = 0;
  const std::string_view digits = text(column);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

struct Database::Inner {
  explicit Inner(const std::string& dsn) : connection(dsn) {
#if !defined(PQXX_VERSION_MAJOR) || PQXX_VERSION_MAJOR < 7
    connection.inhibit_reactivation(
        true);  // 6.4 would reconnect silently and lose session settings
#endif
  }
  pqxx::connection connection;
};

Database::Database(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

std::expected<Database, std::string> Database::open(const std::string& dsn) {
  try {
    return Database(std::make_unique<Inner>(dsn));
  } catch (const std::exception& error) {
    return std::unexpected("no connection to the database: " + one_line(error.what()));
  }
}

std::expected<std::int64_t, std::string> Database::query(
    std::string_view sql, const std::vector<std::string>& parameters,
    const std::function<void(const Row&)>& on_row) {
  try {
    pqxx::nontransaction statement(inner_->connection);
    const std::string text(sql);
    const pqxx::result rows =
        parameters.empty()
            ? statement.exec(text)
            : statement.exec_params(text, pqxx::prepare::make_dynamic_params(parameters));
    if (on_row)
      for (const auto& row : rows) on_row(PqxxRow(row));
    const auto changed = static_cast<std::int64_t>(rows.affected_rows());
    return changed > 0 ? changed : static_cast<std::int64_t>(rows.size());
  } catch (const std::exception& error) {
    return std::unexpected(inner_->connection.is_open() ? one_line(error.what())
                                                        : std::string("the connection is lost"));
  }
}

std::expected<std::string, std::string> Database::value(
    std::string_view sql, const std::vector<std::string>& parameters) {
  std::optional<std::string> first;
  const auto rows = query(sql, parameters, [&](const Row& row) { first = row.text(0); });
  if (!rows) return std::unexpected(rows.error());
  if (!first) return std::unexpected(std::string("no row came back"));
  return *first;
}

}  // namespace harness
