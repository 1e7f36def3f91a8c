// The properties of a whole run: its keys as the provider sees them, and its exit code.
#include <gtest/gtest.h>
#include <httplib.h>

#include <map>
#include <mutex>
#include <thread>

#include "core/http/mail_client.h"
#include "core/pg/testing/campaign.h"

namespace core::pg {
namespace {

using core::testing::status;
using testing::Campaign;

// Answers 503 to the first two requests of each member, and remembers every key.
class Provider {
 public:
  Provider() {
    server_.Post("/p1/send", [this](const httplib::Request& request, httplib::Response& response) {
      const std::lock_guard lock(mutex_);
      std::vector<std::string>& keys = keys_[request.body];
      keys.push_back(request.get_header_value("Idempotency-Key"));
      response.status = keys.size() <= 2 ? 503 : 200;
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Provider() {
    server_.stop();
    thread_.join();
  }
  std::unique_ptr<core::Provider> client() const {
    http::MailSettings settings;
    settings.url = {false, "127.0.0.1", port_, "/p1/send"};
    settings.campaign = settings.template_name = "spring";
    settings.connect_timeout = settings.read_timeout = 60s;
    return http::MailClients(settings).client();
  }
  // By the body of the request: the payload must not change either.
  std::map<std::string, std::vector<std::string>> keys() {
    const std::lock_guard lock(mutex_);
    return keys_;
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> keys_;
};

// Killer of: an attempt, a token or a clock mixed into the key.
TEST(Property, TheIdempotencyKeyIsTheSameOnEveryAttempt) {
  Campaign campaign;
  campaign.database.add_members(1, 3);
  Provider provider;
  const auto sends_through = [&](testing::Sender& worker, core::Provider& client) {
    worker.driver.provider = [&](MemberId member, const std::string& address) {
      return client.send(member, address);
    };
  };
  {  // The first attempt, by a worker that then crashes with its answers unrecorded.
    const auto client = provider.client();
    const auto crashing = campaign.sender(1);
    sends_through(*crashing, *client);
    crashing->driver.start();
    crashing->driver.run_until([&] { return crashing->driver.has_asked<RecordBatch>(); });
  }
  campaign.database.pass(campaign.policy.lease);
  const auto client = provider.client();
  const auto worker = campaign.lone_sender(2);
  sends_through(*worker, *client);
  EXPECT_EQ(worker->driver.run().code, ExitCode::done);
  const auto keys = provider.keys();
  ASSERT_EQ(keys.size(), 3u);
  for (int member = 1; member <= 3; ++member) {
    const std::string id = std::to_string(member);
    const std::string key = "\"spring:" + id + "\"";
    const auto seen = keys.find("{\"to\":\"m" + id + "@example.org\",\"member_id\":" + id +
                                ",\"template\":\"spring\"}");
    ASSERT_NE(seen, keys.end());
    EXPECT_EQ(seen->second, (std::vector<std::string>{key, key, key}));
  }
}

// Killer of: failures that are swallowed. One of 100 is within the ratio of 1 %; those who opted
// out count in the total.
TEST(Property, FailuresBeyondTheRatioChangeTheExitCode) {
  Campaign campaign;
  const auto exit_with = [&](int failing) {
    campaign.start_over(100);
    campaign.sql().run(
        "update campaign_targets set opted_out_at = campaign_clock() where member_id > 90");
    const auto worker = campaign.lone_sender();
    worker->driver.provider = [failing](MemberId member, const std::string&) {
      return status(number(member) <= failing ? 422 : 200);
    };
    const Exit exit = worker->driver.run();
    EXPECT_EQ(exit.report.totals.failed, failing);
    EXPECT_EQ(exit.report.totals.total, 100);
    return exit.code;
  };
  EXPECT_EQ(exit_with(0), ExitCode::done);
  EXPECT_EQ(exit_with(1), ExitCode::done);
  EXPECT_EQ(exit_with(2), ExitCode::look);
}

// Killer of: "done" said with members left. Work left over outweighs failures: starting again comes
// before looking.
TEST(Property, WorkLeftOverChangesTheExitCode) {
  Campaign campaign;
  campaign.policy.deadline = 100s;
  campaign.policy.lanes = 1;
  campaign.policy.batch = 20;
  campaign.database.add_members(1, 30);
  const auto run = [&] {
    const auto worker = campaign.lone_sender();
    worker->driver.latency = 5s;
    worker->driver.provider = [](MemberId member, const std::string&) {
      return status(number(member) <= 3 ? 422 : 200);
    };
    return worker->driver.run();
  };
  const Exit first = run();
  EXPECT_EQ(first.code, ExitCode::work_remains);
  EXPECT_EQ(first.report.totals.failed, 3);
  EXPECT_EQ(first.report.totals.remaining, 10);
  EXPECT_EQ(run().code, ExitCode::look);
  EXPECT_EQ(campaign.states(), "3 failed, 27 sent");
}

}  // namespace
}  // namespace core::pg
