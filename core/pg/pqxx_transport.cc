#include "core/pg/pqxx_transport.h"

#include <libpq-fe.h>

#include <algorithm>
#include <cstdlib>
#include <pqxx/pqxx>
#include <set>

namespace core::pg {
namespace {

// libpq's hints stand on lines of their own, or behind a tab.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\n\t"));
}

// libpqxx 6.4 throws some kinds of errors without their SQLSTATE. The server answered all the same.
std::string sqlstate_of(const pqxx::sql_error& error) {
  if (!error.sqlstate().empty()) return error.sqlstate();
  if (dynamic_cast<const pqxx::insufficient_privilege*>(&error) != nullptr) return "42501";
  if (dynamic_cast<const pqxx::insufficient_resources*>(&error) != nullptr) return "53000";
  if (dynamic_cast<const pqxx::syntax_error*>(&error) != nullptr) return "42601";
  return "XX000";
}

// libpq reads what a DSN leaves out from the environment: settings given in the DSN win over these.
void default_environment(const ConnectionSettings& settings) {
  setenv("PGAPPNAME", settings.application_name.c_str(), 0);
  setenv("PGCONNECT_TIMEOUT", "5", 0);
}

class PqxxTransport : public Transport {
 public:
  explicit PqxxTransport(ConnectionSettings settings) : settings_(std::move(settings)) {
    default_environment(settings_);
  }

  Result execute(const Statement& statement, const std::vector<std::string>& params) override {
    Result result;
    try {
      connect();
    } catch (const std::exception& error) {
      connection_.reset();
      result.delivery = Delivery::not_sent;
      result.error = first_line(error.what());
      return result;
    }
    try {
      pqxx::nontransaction session(*connection_);
      const Duration timeout =
          statement.whole_campaign ? whole_campaign_timeout : settings_.statement_timeout;
      set_timeout(session, std::max(timeout, settings_.statement_timeout));
      read(result, settings_.transaction_pooler ? run_unnamed(session, statement, params)
                                                : run_prepared(session, statement, params));
    } catch (const pqxx::broken_connection& error) {
      lose(result, error);
    } catch (const pqxx::in_doubt_error& error) {
      lose(result, error);
    } catch (const pqxx::sql_error& error) {
      result.sqlstate = sqlstate_of(error);
      result.error = first_line(error.what());
      if (!connection_->is_open()) lose(result, error);
      // 57P01..03: the server is going away, and the statement was rolled back.
      if (result.sqlstate.substr(0, 3) == "57P" || result.sqlstate.substr(0, 2) == "08")
        connection_.reset();
#if PQXX_VERSION_MAJOR < 7
    } catch (const pqxx::statement_completion_unknown& error) {
      lose(result, error);
    } catch (const pqxx::transaction_rollback& error) {
      // Class 40, which libpqxx 6 keeps apart from sql_error: the server answered, and undid it.
      const bool deadlock = dynamic_cast<const pqxx::deadlock_detected*>(&error) != nullptr;
      result.sqlstate = deadlock ? "40P01" : "40001";
      result.error = first_line(error.what());
#endif
    } catch (const std::exception& error) {
      lose(result, error);
    }
    return result;
  }

 private:
  void lose(Result& result, const std::exception& error) {
    connection_.reset();
    result.rows.clear();
    result.sqlstate.clear();
    result.delivery = Delivery::lost;
    result.error = first_line(error.what());
  }

  void connect() {
    if (connection_) return;
    prepared_.clear();
    timeout_set_ = Duration(0);
    connection_ = std::make_unique<pqxx::connection>(settings_.dsn);
#if PQXX_VERSION_MAJOR < 7
    // Without this, libpqxx 6 reconnects in the middle of things and forgets the session's
    // settings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    connection_->inhibit_reactivation(true);
#pragma GCC diagnostic pop
#endif
    if (settings_.transaction_pooler) return;  // the session is not ours: ALTER ROLE instead
    pqxx::nontransaction session(*connection_);
    // A statement of a client that has died, waiting for a lock, would keep its own locks until
    // then.
    session.exec("set client_connection_check_interval = '1s'");
  }

  // Behind a pooler the session is not ours: there the role's limit holds for all.
  void set_timeout(pqxx::nontransaction& session, Duration timeout) {
    if (settings_.transaction_pooler || settings_.statement_timeout == Duration(0) ||
        timeout_set_ == timeout)
      return;
    session.exec("set statement_timeout = " + std::to_string(timeout / 1ms));
    timeout_set_ = timeout;
  }

  pqxx::result run_prepared(pqxx::nontransaction& session, const Statement& statement,
                            const std::vector<std::string>& params) {
    const std::string name(statement.name);
    // Noted only once it is done: from libpqxx 7 on, preparing goes to the server, and can fail.
    if (!prepared_.contains(name)) connection_->prepare(name, std::string(statement.sql));
    prepared_.insert(name);
#if PQXX_VERSION_MAJOR < 7
    return session.exec_prepared(name, pqxx::prepare::make_dynamic_params(params));
#else
    pqxx::params values;
    for (const std::string& param : params) values.append(param);
    return session.exec(pqxx::prepped{name}, values);
#endif
  }

  static pqxx::result run_unnamed(pqxx::nontransaction& session, const Statement& statement,
                                  const std::vector<std::string>& params) {
    const std::string sql(statement.sql);
#if PQXX_VERSION_MAJOR < 7
    return session.exec_params(sql, pqxx::prepare::make_dynamic_params(params));
#else
    pqxx::params values;
    for (const std::string& param : params) values.append(param);
    return session.exec(pqxx::zview(sql), values);
#endif
  }

  static void read(Result& result, const pqxx::result& rows) {
    result.rows.reserve(static_cast<std::size_t>(rows.size()));
    for (const auto& row : rows) {
      Row& columns = result.rows.emplace_back();
      columns.reserve(static_cast<std::size_t>(row.size()));
      for (const auto& field : row) {
        if (field.is_null()) {
          columns.emplace_back();
        } else {
          columns.emplace_back(std::string(field.c_str(), static_cast<std::size_t>(field.size())));
        }
      }
    }
  }

  ConnectionSettings settings_;
  std::unique_ptr<pqxx::connection> connection_;
  std::set<std::string> prepared_;
  Duration timeout_set_{0};  // in the session
};

}  // namespace

std::string dsn_problem(const std::string& dsn) {
  char* message = nullptr;
  PQconninfoOption* options = PQconninfoParse(dsn.c_str(), &message);
  std::string problem;
  if (options == nullptr) problem = message == nullptr ? "out of memory" : first_line(message);
  PQconninfoFree(options);
  PQfreemem(message);
  return problem;
}

std::unique_ptr<Transport> connect_with_pqxx(const ConnectionSettings& settings) {
  return std::make_unique<PqxxTransport>(settings);
}

}  // namespace core::pg
