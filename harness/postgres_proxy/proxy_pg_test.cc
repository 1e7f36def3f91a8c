// The sender's own transport through the proxy, on real PostgreSQL.
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "core/pg/pqxx_transport.h"
#include "harness/postgres/conninfo.h"
#include "harness/postgres_proxy/proxy.h"

namespace harness::postgres_proxy {
namespace {

using core::pg::Delivery;
using std::chrono_literals::operator""s;

class ProxyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* dsn = std::getenv("SENDPROOF_PG_DSN");
    ASSERT_NE(dsn, nullptr) << "./dev test sets it";
    dsn_ = dsn;
    observer_ = core::pg::connect_with_pqxx({.dsn = dsn_});
    run(*observer_, "made", "create table " + table_ + "(n int)");
  }
  void TearDown() override { run(*observer_, "dropped", "drop table " + table_); }

  void begin(Fate fate, std::int64_t nth = 1) {
    auto proxy = Proxy::start(dsn_, {{"record_batch", nth, fate, 3}},
                              {.on_strike =
                                   [this](std::size_t event, int door) {
                                     const std::lock_guard lock(mutex_);
                                     rows_at_strike_ = rows();
                                     struck_ = {event, door};
                                     changed_.notify_all();
                                     if (goes_on_) proxy_->go_on(event);
                                   },
                               .on_broken = [](const std::string& error) { FAIL() << error; }});
    ASSERT_TRUE(proxy) << proxy.error();
    proxy_ = std::move(*proxy);
    const auto door = proxy_->open(4);
    ASSERT_TRUE(door) << door.error();
    transport_ = core::pg::connect_with_pqxx({.dsn = *door});
  }
  static core::pg::Result run(core::pg::Transport& transport, std::string_view name,
                              std::string_view sql) {
    return transport.execute({name, sql}, {});
  }
  core::pg::Result record() {
    return run(*transport_, "record_batch", "insert into " + table_ + " values (1) returning n");
  }
  std::string rows() {
    return *run(*observer_, "rows", "select count(*) from " + table_).rows.at(0).at(0);
  }

  const std::string table_ = "proxy_test_" + std::to_string(getpid());
  std::string dsn_;
  std::unique_ptr<core::pg::Transport> observer_;
  std::unique_ptr<core::pg::Transport> transport_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::pair<std::size_t, int> struck_;
  std::string rows_at_strike_;
  bool goes_on_ = true;
  std::unique_ptr<Proxy> proxy_;  // ends before what it tells
};

TEST_F(ProxyTest, OnlyTheNthIsStruckAndItIsKnownWhose) {
  begin(Fate::lose, 3);
  for (int n = 1; n <= 4; ++n)
    EXPECT_EQ(record().delivery, n == 3 ? Delivery::lost : Delivery::answered) << n;
  EXPECT_EQ(rows(), "3");
  EXPECT_EQ(struck_, (std::pair<std::size_t, int>(3, 4)));
}

TEST_F(ProxyTest, ALostAnswerIsCommittedWhenItsMomentComes) {
  begin(Fate::lose_answer);
  EXPECT_EQ(record().delivery, Delivery::lost);
  EXPECT_EQ(rows_at_strike_, "1");
}

TEST_F(ProxyTest, AMomentAloneChangesNothing) {
  begin(Fate::answered);
  const auto result = record();
  EXPECT_EQ(result.delivery, Delivery::answered);
  EXPECT_EQ(result.rows.at(0).at(0), "1");
  EXPECT_EQ(rows_at_strike_, "1");
}

TEST_F(ProxyTest, ARefusedStatementAsksToTryAgain) {
  begin(Fate::refuse);
  const auto result = record();
  EXPECT_EQ(result.delivery, Delivery::answered) << result.error;
  EXPECT_EQ(result.sqlstate, "40P01");
  EXPECT_EQ(rows(), "0");
  EXPECT_EQ(record().sqlstate, "");
  EXPECT_EQ(rows(), "1");
}

TEST_F(ProxyTest, AGhostIsDoneWhenItLands) {
  begin(Fate::ghost);
  EXPECT_EQ(record().delivery, Delivery::lost);
  EXPECT_EQ(rows(), "0");
  const auto landed = proxy_->land(10s);
  EXPECT_TRUE(landed) << landed.error();
  EXPECT_EQ(rows(), "1");
  EXPECT_TRUE(proxy_->land(10s)) << "there is none any more";
}

TEST_F(ProxyTest, AGhostWhoseSessionIsCutIsAnError) {
  begin(Fate::ghost);
  const std::string pid = *run(*transport_, "pid", "select pg_backend_pid()").rows.at(0).at(0);
  (void)record();
  run(*observer_, "cut", "select pg_terminate_backend(" + pid + ", 10000)");
  EXPECT_FALSE(proxy_->land(10s));
}

TEST_F(ProxyTest, LargeStatementsAndAnswersPassWhole) {
  begin(Fate::lose, 9);
  const std::string text(5'000'000, 'x');
  const auto result = transport_->execute({"echo", "select $1::text || $1::text"}, {text});
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.rows.at(0).at(0), text + text);
}

TEST_F(ProxyTest, ARequestToCancelReachesTheServer) {
  begin(Fate::lose, 9);
  const auto door = proxy_->open(5);
  ASSERT_TRUE(door) << door.error();
  const auto connection = postgres::connect(*door);
  ASSERT_TRUE(connection) << connection.error();
  const std::string sleeps = "select pg_sleep(600), '" + table_ + "'";
  ASSERT_EQ(PQsendQuery(connection->get(), sleeps.c_str()), 1);
  // The server forgets a request to cancel that comes before its statement.
  const std::string asleep =
      "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and query like '%" +
      table_ + "%' and pid <> pg_backend_pid()";
  while (*run(*observer_, "asleep", asleep).rows.at(0).at(0) == "0") std::this_thread::yield();
  PGcancel* cancel = PQgetCancel(connection->get());
  char error[256] = {};
  EXPECT_EQ(PQcancel(cancel, error, sizeof error), 1) << error;
  PQfreeCancel(cancel);
  PGresult* result = PQgetResult(connection->get());
  EXPECT_STREQ(PQresultErrorField(result, PG_DIAG_SQLSTATE), "57014");
  PQclear(result);
}

TEST_F(ProxyTest, ItEndsWhileAStatementIsHeld) {
  goes_on_ = false;
  begin(Fate::lose);
  std::thread asks([&] { EXPECT_EQ(record().delivery, Delivery::lost); });
  {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, 10s, [&] { return struck_.first == 3; }));
  }
  proxy_.reset();
  asks.join();
  EXPECT_EQ(rows(), "0");
}

}  // namespace
}  // namespace harness::postgres_proxy
