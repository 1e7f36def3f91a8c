#include "core/pg/testing/database.h"

#include <libpq-fe.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include "core/pg/pqxx_transport.h"
#include "harness/postgres/conninfo.h"
#include "harness/postgres/sql_script.h"

namespace core::pg::testing {
namespace {

std::string server() {
  const char* dsn = std::getenv("SENDPROOF_PG_DSN");
  if (dsn == nullptr) {
    throw std::runtime_error(
        "SENDPROOF_PG_DSN is not set: run this through ./dev test, or build/bin/with_postgres");
  }
  return dsn;
}

template <typename T>
T needed(std::expected<T, std::string> result) {
  if (!result) throw std::runtime_error(result.error());
  return std::move(*result);
}

void needed(const std::expected<void, std::string>& result) {
  if (!result) throw std::runtime_error(result.error());
}

std::string fresh_name() {
  static std::atomic<int> count{0};
  return "sendproof_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
}

}  // namespace

struct Session::Connection {
  harness::postgres::Connection pg;
};

Session::Session(const std::string& dsn)
    : connection_(new Connection{needed(harness::postgres::connect(dsn))}) {}
Session::~Session() = default;

std::vector<Row> Session::rows(const std::string& sql) {
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
      PQexec(connection_->pg.get(), sql.c_str()), PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(std::string(PQresultErrorMessage(result.get())) + " in: " + sql);
  }
  std::vector<Row> rows;
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    Row& columns = rows.emplace_back();
    for (int column = 0; column < PQnfields(result.get()); ++column) {
      if (PQgetisnull(result.get(), row, column) != 0) {
        columns.emplace_back();
      } else {
        columns.emplace_back(PQgetvalue(result.get(), row, column));
      }
    }
  }
  return rows;
}

std::string Session::value(const std::string& sql) {
  return rows(sql).at(0).at(0).value_or("null");
}

std::vector<MemberId> Session::members(const std::string& sql) {
  std::vector<MemberId> ids;
  for (const Row& row : rows(sql)) ids.push_back(MemberId(std::stoll(row.at(0).value())));
  return ids;
}

Database::Database(Schema schema) : name_(fresh_name()) {
  Session(server()).run("create database " + name_);
  dsn_ = needed(harness::postgres::with_database(server(), name_));
  session_ = std::make_unique<Session>(dsn_);
  if (schema == Schema::none) return;
  session_->run(
      "create table campaign_targets (campaign_id text, member_id bigint, email text, sent_at "
      "timestamptz,"
      " primary key (campaign_id, member_id))");
  if (schema == Schema::plain) return;
  needed(harness::postgres::run_sql_folder(SENDPROOF_ROOT "/deploy/migrations", dsn_));
  needed(harness::postgres::run_sql_script(
      needed(harness::postgres::read_sql_script(SENDPROOF_ROOT "/deploy/test_clock.sql")), dsn_));
}

Database::~Database() {
  session_.reset();
  Session(server()).run("drop database if exists " + name_ + " with (force)");
}

void Database::add_members(std::int64_t first, std::int64_t last, const std::string& campaign) {
  session_->run("insert into campaign_targets (campaign_id, member_id, email) select '" + campaign +
                "', id, 'm' || id || '@example.org' from generate_series(" + std::to_string(first) +
                "::bigint, " + std::to_string(last) + ") id");
}

void Database::pass(Duration duration) {
  session_->run(
      "select setval('campaign_clock_skipped', (select last_value from campaign_clock_skipped) + " +
      std::to_string(duration.count()) + ")");
}

std::unique_ptr<PgStore> Database::store(const Policy& policy, const std::string& campaign) {
  ConnectionSettings settings;
  settings.dsn = dsn_ + " options='-c lock_timeout=1000'";
  settings.statement_timeout = 30s;
  auto store =
      std::make_unique<PgStore>(connect_with_pqxx(settings), Context{campaign, "provider", policy});
  PgStore::Opened opened;
  if (const auto refusal = store->open({std::nullopt, policy.rate_per_s}, opened)) {
    throw std::runtime_error(refusal->message);
  }
  return store;
}

}  // namespace core::pg::testing
