#include "sim/pg/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace sim::pg {
namespace {

using core::pg::Result;

using ResultPtr = std::unique_ptr<PGresult, void (*)(PGresult*)>;

Result read(const PGresult* from) {
  Result result;
  const ExecStatusType status = PQresultStatus(from);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    const char* sqlstate = PQresultErrorField(from, PG_DIAG_SQLSTATE);
    result.sqlstate = sqlstate != nullptr ? sqlstate : "?";
    result.error = PQresultErrorMessage(from);
    return result;
  }
  for (int row = 0; row < PQntuples(from); ++row) {
    core::pg::Row& columns = result.rows.emplace_back();
    columns.reserve(static_cast<std::size_t>(PQnfields(from)));
    for (int column = 0; column < PQnfields(from); ++column) {
      if (PQgetisnull(from, row, column) != 0) {
        columns.emplace_back();
      } else {
        columns.emplace_back(PQgetvalue(from, row, column));
      }
    }
  }
  return result;
}

}  // namespace

struct Connection::Session {
  std::unique_ptr<PGconn, void (*)(PGconn*)> pg;
  [[noreturn]] void broken() const { throw std::runtime_error(PQerrorMessage(pg.get())); }
  void needs(int done) const {
    if (done != 1) broken();
  }
};

Connection::Connection(const std::string& dsn)
    : session_(new Session{{PQconnectdb(dsn.c_str()), PQfinish}}) {
  if (PQstatus(session_->pg.get()) != CONNECTION_OK) session_->broken();
  PQsetNoticeProcessor(session_->pg.get(), [](void*, const char*) {}, nullptr);
  session_->needs(PQenterPipelineMode(session_->pg.get()));
}

Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

int Connection::process() const {
  return PQbackendPID(session_->pg.get());
}

void Connection::add(const core::pg::Statement& statement, const std::vector<std::string>& params) {
  PGconn* pg = session_->pg.get();
  const std::string name(statement.name);
  if (prepared_.insert(name).second) {
    const std::string sql(statement.sql);
    session_->needs(PQsendPrepare(pg, name.c_str(), sql.c_str(), 0, nullptr));
    next_.push_back(false);
  }
  std::vector<const char*> values;
  values.reserve(params.size());
  for (const std::string& param : params) values.push_back(param.c_str());
  session_->needs(PQsendQueryPrepared(pg, name.c_str(), static_cast<int>(values.size()),
                                      values.data(), nullptr, nullptr, 0));
  next_.push_back(true);
}

void Connection::add_control(const char* sql) {
  session_->needs(
      PQsendQueryParams(session_->pg.get(), sql, 0, nullptr, nullptr, nullptr, nullptr, 0));
  next_.push_back(false);
}

void Connection::send() {
  session_->needs(PQpipelineSync(session_->pg.get()));
  groups_.push_back(std::exchange(next_, {}));
  while (PQflush(session_->pg.get()) > 0) wait_for_input(core::Duration(1000));
}

// Returns: whether the earliest group has ended.
bool Connection::read_one() {
  const ResultPtr from(PQgetResult(session_->pg.get()), PQclear);
  if (!from) return false;  // between two statements
  const ExecStatusType status = PQresultStatus(from.get());
  if (status == PGRES_PIPELINE_SYNC) return true;
  const bool failed = status == PGRES_FATAL_ERROR;
  if (failed || (groups_.front().at(read_) && status != PGRES_PIPELINE_ABORTED))
    results_.push_back(read(from.get()));
  ++read_;
  return false;
}

void Connection::wait_for_input(core::Duration patience) {
  pollfd socket{PQsocket(session_->pg.get()), POLLIN, 0};
  const timespec timeout{.tv_sec = patience.count() / 1'000'000,
                         .tv_nsec = patience.count() % 1'000'000 * 1000};
  if (ppoll(&socket, 1, &timeout, nullptr) > 0) session_->needs(PQconsumeInput(session_->pg.get()));
}

std::optional<std::vector<Result>> Connection::results(core::Duration patience) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + patience;
  for (;;) {
    while (PQisBusy(session_->pg.get()) == 0) {
      if (!read_one()) continue;
      groups_.pop_front();
      read_ = 0;
      return std::exchange(results_, {});
    }
    const auto left = std::chrono::duration_cast<core::Duration>(until - Clock::now());
    if (left < core::Duration(0)) return std::nullopt;
    wait_for_input(left);
  }
}

std::vector<Result> Connection::await_results() {
  for (;;) {
    if (auto all = results(std::chrono::seconds(10))) return std::move(*all);
  }
}

Result Connection::run(const core::pg::Statement& statement,
                       const std::vector<std::string>& params) {
  add(statement, params);
  send();
  return std::move(await_results().back());
}

}  // namespace sim::pg
