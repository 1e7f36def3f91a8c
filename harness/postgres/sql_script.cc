#include "harness/postgres/sql_script.h"

#include <libpq-fe.h>
#include <pg_query.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "fmt/format.h"
#include "harness/postgres/conninfo.h"

namespace harness::postgres {
namespace {

namespace fs = std::filesystem;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

int line_at(std::string_view text, std::size_t position) {
  return 1 + static_cast<int>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

// Where character number `character` of UTF-8 text begins; numbers start at 1, as PostgreSQL's
// positions do.
std::size_t byte_of(std::string_view text, std::size_t character) {
  std::size_t seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins && ++seen == character) return at;
  }
  return text.size();
}

std::unexpected<std::string> error_at(const std::string& name, int line, std::string_view message) {
  return std::unexpected(fmt::format("{}:{}: {}", name, line, message));
}

// Position of the first character after blanks and comments (which nest).
std::size_t skip_comments(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (std::strchr(" \t\r\n\f\v", rest.front()) != nullptr) {
      ++at;
    } else if (rest.starts_with("--")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      int depth = 0;
      do {
        const std::string_view next = text.substr(at, 2);
        depth += next == "/*" ? 1 : next == "*/" ? -1 : 0;
        at += next == "/*" || next == "*/" ? 2 : 1;
      } while (depth > 0 && at < text.size());
    } else {
      break;
    }
  }
  return at;
}

// The parser knows where a BEGIN ATOMIC body ends, the lexer passes syntax that is newer than the
// library: the server judges it.
PgQuerySplitResult split(const char* text) {
  PgQuerySplitResult result = pg_query_split_with_parser(text);
  if (result.error == nullptr) return result;
  pg_query_free_split_result(result);
  return pg_query_split_with_scanner(text);
}

std::expected<void, std::string> run_statement(PGconn* connection, const SqlScript& script,
                                               const SqlStatement& statement) {
  const Result result(PQexec(connection, statement.text.c_str()), &PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY)
    return {};
  if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) {
    return error_at(script.name, statement.line,
                    "COPY from stdin or to stdout works in psql only: use INSERT");
  }
  const char* message = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
  if (message == nullptr) message = PQerrorMessage(connection);
  int line = statement.line;
  if (const char* position = PQresultErrorField(result.get(), PG_DIAG_STATEMENT_POSITION);
      position != nullptr) {
    std::size_t character = 1;
    std::from_chars(position, position + std::strlen(position), character);
    line += line_at(statement.text, byte_of(statement.text, character)) - 1;
  }
  std::string_view words = message;
  return error_at(script.name, line, words.substr(0, words.find('\n')));
}

}  // namespace

std::expected<SqlScript, std::string> parse_sql_script(std::string_view text, std::string name) {
  const std::string whole(text);
  if (const auto zero = whole.find('\0'); zero != std::string::npos)
    return error_at(name, line_at(text, zero), "not a text file");
  const std::unique_ptr<PgQuerySplitResult, void (*)(PgQuerySplitResult*)> result(
      new PgQuerySplitResult(split(whole.c_str())), [](PgQuerySplitResult* owned) {
        pg_query_free_split_result(*owned);
        delete owned;
      });
  if (result->error != nullptr) {
    const auto position = static_cast<std::size_t>(std::max(result->error->cursorpos - 1, 0));
    return error_at(name, line_at(text, std::min(position, text.size())), result->error->message);
  }
  SqlScript script{std::move(name), {}};
  for (int i = 0; i < result->n_stmts; ++i) {
    const auto begin = static_cast<std::size_t>(result->stmts[i]->stmt_location);
    const std::string_view piece =
        text.substr(begin, static_cast<std::size_t>(result->stmts[i]->stmt_len));
    const std::size_t skipped = skip_comments(piece);
    if (skipped == piece.size()) continue;
    SqlStatement statement{std::string(piece.substr(skipped)), line_at(text, begin + skipped)};
    if (statement.text.front() == '\\') {
      return error_at(script.name, statement.line,
                      fmt::format("'{}' is a psql command, not SQL: remove it",
                                  statement.text.substr(0, statement.text.find('\n'))));
    }
    script.statements.push_back(std::move(statement));
  }
  return script;
}

std::expected<SqlScript, std::string> read_sql_script(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file))
    return std::unexpected(fmt::format("{}: can't be read: name an SQL file", file.string()));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return parse_sql_script(text, file.string());
}

std::expected<void, std::string> run_sql_script(const SqlScript& script, const std::string& dsn) {
  const auto connection = connect(dsn);
  if (!connection)
    return std::unexpected(fmt::format("{}: no connection: {}", script.name, connection.error()));
  for (const SqlStatement& statement : script.statements) {
    if (auto done = run_statement(connection->get(), script, statement); !done) return done;
  }
  return {};
}

std::expected<void, std::string> run_sql_folder(const fs::path& folder, const std::string& dsn) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".sql") files.push_back(entry.path());
  }
  if (files.empty())
    return std::unexpected(fmt::format("{}: no .sql files in it", folder.string()));
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto script = read_sql_script(file);
    if (!script) return std::unexpected(script.error());
    if (auto done = run_sql_script(*script, dsn); !done) return done;
  }
  return {};
}

}  // namespace harness::postgres
