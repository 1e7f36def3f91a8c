// The connection itself: its settings, and what a broken one becomes.
#include <gtest/gtest.h>

#include "core/pg/pqxx_transport.h"
#include "core/pg/testing/database.h"

namespace core::pg {
namespace {

using testing::Database;

class PqxxTransport : public ::testing::Test {
 protected:
  std::string value(const std::string& sql) {
    const Result result = transport_->execute({"value", sql}, {});
    EXPECT_EQ(result.delivery, Delivery::answered) << result.error;
    return result.rows.at(0)[0].value();
  }

  Database database_;
  std::unique_ptr<Transport> transport_ =
      connect_with_pqxx({.dsn = database_.dsn(), .statement_timeout = 7s});
};

// field case: F20
TEST_F(PqxxTransport, ADeadClientIsNoticedWithinASecond) {
  EXPECT_EQ(value("show client_connection_check_interval"), "1s");
}

TEST_F(PqxxTransport, AStatementEndsByItself) {
  const Result result = connect_with_pqxx({.dsn = database_.dsn(), .statement_timeout = 50ms})
                            ->execute({"slow", "select pg_sleep(60)"}, {});
  EXPECT_EQ(result.delivery, Delivery::answered);
  EXPECT_EQ(result.sqlstate, "57014");
}

// Planning eight million members takes longer than any other statement may.
// field case: F43
TEST_F(PqxxTransport, AStatementOfTheWholeCampaignHasATimeOfItsOwn) {
  const auto transport = connect_with_pqxx({.dsn = database_.dsn(), .statement_timeout = 50ms});
  EXPECT_EQ(transport->execute({"whole", "select pg_sleep(0.1)", true}, {}).sqlstate, "");
  EXPECT_EQ(transport->execute({"slow", "select pg_sleep(60)"}, {}).sqlstate, "57014");
}

// field case: F23
TEST_F(PqxxTransport, ASessionThatWasEndedIsInDoubtOnceAndThenMadeAgain) {
  const std::string process = value("select pg_backend_pid()");
  database_.sql().run("select pg_terminate_backend(" + process + ")");
  while (database_.sql().number("select count(*) from pg_stat_activity where pid = " + process) > 0)
    continue;
  const Result broken = transport_->execute({"one", "select 1"}, {});
  EXPECT_NE(broken.delivery, Delivery::answered);
  const Result again = transport_->execute({"one", "select 1"}, {});
  EXPECT_EQ(again.delivery, Delivery::answered) << again.error;
  EXPECT_EQ(transport_->execute({"show", "show statement_timeout"}, {}).rows.at(0)[0], "7s");
}

}  // namespace
}  // namespace core::pg
