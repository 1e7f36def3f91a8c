// SQL scripts: split into statements and run one by one, each its own transaction (CREATE INDEX
// CONCURRENTLY needs that). What psql alone understands (backslash lines, data after COPY FROM
// stdin) is refused.
//
// Errors: one line "FILE:LINE: message". Statements before the failing one stay done.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace harness::postgres {

struct SqlStatement {
  std::string text;  // without leading comments and without its semicolon
  int line;          // of its first word, from 1
};

struct SqlScript {
  std::string name;  // the file, for messages
  std::vector<SqlStatement> statements;
};

// name stands in messages. Quotes, dollar quotes, comments and BEGIN ATOMIC bodies are PostgreSQL's
// own lexer's business.
std::expected<SqlScript, std::string> parse_sql_script(std::string_view text, std::string name);
std::expected<SqlScript, std::string> read_sql_script(const std::filesystem::path& file);

// dsn: of the database to run it in.
std::expected<void, std::string> run_sql_script(const SqlScript& script, const std::string& dsn);

// All *.sql files of a folder, in name order. An error names the file; a folder without any is one.
std::expected<void, std::string> run_sql_folder(const std::filesystem::path& folder,
                                                const std::string& dsn);

}  // namespace harness::postgres
