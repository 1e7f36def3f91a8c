// The sender's own driver over a database that restarts, stays away or falls silent in the middle
// of a campaign.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "core/os/process.h"
#include "core/pg/pqxx_transport.h"
#include "core/sender/driver.h"
#include "harness/database/campaign_database.h"
#include "harness/postgres/server.h"
#include "harness/postgres_proxy/proxy.h"

namespace harness {
namespace {

using core::Duration;
using core::Instant;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

template <typename T>
T needed(std::expected<T, std::string> made) {
  if (!made) throw std::runtime_error(made.error());
  return std::move(*made);
}
void needed(const Done& done) {
  if (!done) throw std::runtime_error(done.error());
}

// Accepts everybody, and calls `at_request` with the number of each request.
struct Mails {
  std::mutex mutex;
  std::map<core::MemberId, int> requests;
  Instant last{};
  std::function<void(std::size_t)> at_request;

  struct Lane : core::Provider {
    explicit Lane(Mails& all) : mails(all) {}
    core::SendAnswer send(core::MemberId member, std::string_view) override {
      std::size_t number = 0;
      {
        const std::lock_guard lock(mails.mutex);
        ++mails.requests[member];
        number = ++mails.count;
        mails.last = core::os::monotonic_now();
      }
      if (mails.at_request) mails.at_request(number);
      return {core::Transport::answered, 200, std::nullopt};
    }
    void cancel() override {}
    Mails& mails;
  };
  std::vector<std::unique_ptr<core::Provider>> lanes(std::int64_t count_of_lanes) {
    std::vector<std::unique_ptr<core::Provider>> made;
    for (std::int64_t i = 0; i < count_of_lanes; ++i) made.push_back(std::make_unique<Lane>(*this));
    return made;
  }

 private:
  std::size_t count = 0;
};

class DatabaseTrouble : public ::testing::Test {
 protected:
  DatabaseTrouble() {
    policy_.rate_per_s = 0;
    policy_.lanes = 10;
    policy_.batch = 100;
    needed(database_.make_table());
    needed(database_.migrate());
    needed(database_.load(members));
  }
  // To its end; `after_it` before the driver's threads are joined.
  core::Exit sent_through(const std::string& dsn, const std::function<void()>& after_it = [] {}) {
    EXPECT_EQ(policy_.problems(), std::vector<std::string>{});
    core::pg::PgStore store(
        core::pg::connect_with_pqxx({.dsn = dsn, .statement_timeout = policy_.statement_timeout}),
        {"spring", "provider", policy_});
    core::pg::PgStore::Opened opened;
    if (const auto refused = store.open({std::nullopt, 0}, opened))
      throw std::runtime_error(refused->message);
    core::metrics::Metrics metrics("spring");
    core::metrics::Publisher publisher({}, metrics, [](const std::string&) {});
    core::sender::Driver driver(policy_, store, mails_.lanes(policy_.lanes), 10ms, 1,
                                opened.plan_version, core::Hours{}, metrics, publisher);
    const core::Exit exit = driver.run();
    ended_ = core::os::monotonic_now();
    after_it();
    return exit;
  }

  static constexpr std::int64_t members = 2'000;
  core::Policy policy_;
  static postgres::Server own_server() {
    postgres::ServerOptions options = postgres::options_from_environment();
    options.dsn.clear();  // others use that one
    return needed(postgres::Server::start(options));
  }
  postgres::Server server_ = own_server();
  CampaignDatabase database_ = needed(CampaignDatabase::create(server_.dsn(), "spring"));
  Mails mails_;
  Instant trouble_{}, ended_{};
};

// A server process that is killed takes all sessions with it, and the server recovers.
// field case: F23
TEST_F(DatabaseTrouble, ARestartOfPostgresIsSurvivedAndEveryMemberIsSentOnce) {
  const auto victim = core::pg::connect_with_pqxx({.dsn = server_.dsn()});
  const std::string process = *victim->execute({"pid", "select pg_backend_pid()"}, {}).rows[0][0];
  mails_.at_request = [&](std::size_t number) {
    if (number == 500) kill(std::stoi(process), SIGKILL);
  };
  EXPECT_EQ(sent_through(database_.dsn()).code, core::ExitCode::done);
  EXPECT_EQ(victim->execute({"one", "select 1"}, {}).delivery, core::pg::Delivery::lost);
  EXPECT_EQ(std::ssize(mails_.requests), members);
  for (const auto& [member, requests] : mails_.requests) EXPECT_EQ(requests, 1) << number(member);
}

// field case: F23
TEST_F(DatabaseTrouble, APostgresThatStaysAwayEndsTheRunInBoundedTime) {
  policy_.database_patience = 1s;
  mails_.at_request = [&](std::size_t number) {
    if (number != 500) return;
    trouble_ = core::os::monotonic_now();
    server_.stop();
  };
  const core::Exit exit = sent_through(database_.dsn());
  EXPECT_EQ(exit.code, core::ExitCode::work_remains);
  EXPECT_TRUE(exit.reason.starts_with("the database is away")) << exit.reason;
  EXPECT_LT(ended_ - trouble_,
            policy_.database_patience + policy_.worst_send() + 2 * policy_.statement_timeout);
}

// No reset, no error: whatever is asked, nothing comes any more.
// field case: F24
TEST_F(DatabaseTrouble, ADatabaseThatFallsSilentStopsTheSendingAtOnceAndEndsTheRun) {
  policy_.batch_budget = 500ms;
  policy_.connect_timeout = policy_.read_timeout = 100ms;
  policy_.statement_timeout = 300ms;
  policy_.least_margin = Duration(0);
  policy_.lease = 1s;
  std::atomic<std::int64_t> struck_us{0};
  auto proxy = needed(postgres_proxy::Proxy::start(
      database_.dsn(), {{"recheck", 5, postgres_proxy::Fate::answered, 0}},
      {.on_strike =
           [&](std::size_t, int) {  // and no go_on()
             struck_us = core::os::monotonic_now().time_since_epoch().count();
           },
       .on_broken = [](const std::string& error) { ADD_FAILURE() << error; }}));
  const std::string dsn = needed(proxy->open(1));
  const core::Exit exit = sent_through(dsn, [&] { proxy.reset(); });
  EXPECT_EQ(exit.code, core::ExitCode::work_remains);
  EXPECT_EQ(exit.reason, "the database does not answer");
  ASSERT_GT(struck_us, 0);
  const Instant struck{Duration(struck_us)};
  EXPECT_LT(mails_.last - struck, policy_.recheck_max_age + policy_.worst_send());
  EXPECT_GE(ended_ - struck, policy_.lease);
  EXPECT_LT(ended_ - struck, 10s);
}

}  // namespace
}  // namespace harness
