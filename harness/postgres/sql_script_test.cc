#include "harness/postgres/sql_script.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace harness::postgres {
namespace {

std::vector<std::string> texts(std::string_view script) {
  const auto parsed = parse_sql_script(script, "s.sql");
  if (!parsed) return {parsed.error()};
  std::vector<std::string> out;
  for (const SqlStatement& statement : parsed->statements) out.push_back(statement.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(SqlScript, SplitsAtSemicolonsAndKnowsTheLines) {
  const auto script = parse_sql_script("select 1;\n\n-- why\nselect\n 2;\n;select 3", "s.sql");
  ASSERT_TRUE(script) << script.error();
  ASSERT_EQ(script->statements.size(), 3u);
  EXPECT_EQ(script->statements[1].text, "select\n 2");
  EXPECT_EQ(script->statements[1].line, 4);
  EXPECT_EQ(script->statements[2].line, 6);
}

TEST(SqlScript, LeavesSemicolonsInQuotesAlone) {
  EXPECT_EQ(texts("select ';', \"a;b\", E'\\';'; select 2"),
            (Texts{"select ';', \"a;b\", E'\\';'", "select 2"}));
}

TEST(SqlScript, LeavesDollarQuotesAlone) {
  EXPECT_EQ(texts("do $$ begin; $$; do $a$ $$;$$ $a$;"),
            (Texts{"do $$ begin; $$", "do $a$ $$;$$ $a$"}));
}

TEST(SqlScript, LeavesSemicolonsInCommentsAlone) {
  EXPECT_EQ(texts("/* a; /* nested; */ b; */ select 1 -- c;\n;"), (Texts{"select 1 -- c;\n"}));
  EXPECT_EQ(texts("-- nothing; here\n"), Texts{});
  EXPECT_EQ(texts(""), Texts{});
}

TEST(SqlScript, KeepsASqlFunctionBodyWhole) {
  EXPECT_EQ(texts("create function f() returns int begin atomic select 1; select 2; end; select 3")
                .size(),
            2u);
}

TEST(SqlScript, CountsLinesBehindTextThatIsNotAscii) {
  const auto script = parse_sql_script("select '配信';\nselect 'é';\nselect 1", "s.sql");
  ASSERT_TRUE(script) << script.error();
  ASSERT_EQ(script->statements.size(), 3u);
  EXPECT_EQ(script->statements[1].text, "select 'é'");
  EXPECT_EQ(script->statements[2].line, 3);
}

TEST(SqlScript, RefusesPsqlCommandsByFileAndLine) {
  EXPECT_EQ(texts("select 1;\n-- next\n\\set x 1\nselect 2;"),
            (Texts{"s.sql:3: '\\set x 1' is a psql command, not SQL: remove it"}));
}

TEST(SqlScript, AllowsABackslashInsideText) {
  EXPECT_EQ(texts("select '\n\\d\n'"), (Texts{"select '\n\\d\n'"}));
}

TEST(SqlScript, SaysWhereAnOpenQuoteBegins) {
  EXPECT_EQ(texts("select 1;\nselect 'abc"),
            (Texts{"s.sql:2: unterminated quoted string at or near \"'abc\""}));
}

TEST(SqlScript, SaysWhichFileCannotBeRead) {
  EXPECT_EQ(read_sql_script("/nowhere/a.sql").error(),
            "/nowhere/a.sql: can't be read: name an SQL file");
}

// The rest needs a server: `./dev test` gives one.
std::string dsn() {
  const char* given = std::getenv("SENDPROOF_PG_DSN");
  return given == nullptr ? "" : given;
}

std::string outcome(std::string_view text) {
  const auto script = parse_sql_script(text, "s.sql");
  if (!script) return script.error();
  const auto done = run_sql_script(*script, dsn());
  return done ? "done" : done.error();
}

class SqlScriptPg : public testing::Test {
  void SetUp() override {
    if (dsn().empty()) GTEST_SKIP() << "SENDPROOF_PG_DSN is not set: run ./dev test";
  }
};

TEST_F(SqlScriptPg, RunsStatementsThatRefuseATransaction) {
  EXPECT_EQ(outcome("drop table if exists sql_script_test;\ncreate table sql_script_test(i int);\n"
                    "create index concurrently on sql_script_test(i);\nvacuum "
                    "sql_script_test;\ndrop table sql_script_test"),
            "done");
}

TEST_F(SqlScriptPg, NamesTheLineOfAnErrorInsideAStatement) {
  EXPECT_EQ(outcome("select 1;\n\nselect '配信配信配信\n',\n  nowhere_column;\n\n\n"),
            "s.sql:5: column \"nowhere_column\" does not exist");
}

TEST_F(SqlScriptPg, NamesTheStatementOfAnErrorWithoutAPosition) {
  EXPECT_EQ(outcome("select 1;\nselect 1/0"), "s.sql:2: division by zero");
}

TEST_F(SqlScriptPg, RefusesCopyFromStdin) {
  EXPECT_EQ(outcome("create temp table t(i int);\ncopy t from stdin;"),
            "s.sql:2: COPY from stdin or to stdout works in psql only: use INSERT");
}

}  // namespace
}  // namespace harness::postgres
