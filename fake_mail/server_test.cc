// The provider over real HTTP, driven as senders and the harness drive it.
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "fake_mail/control_client.h"
#include "fake_mail/control_server.h"
#include "fake_mail/mail_server.h"
#include "fake_mail/service.h"

namespace fake_mail {
namespace {

using core::operator""us;
using core::operator""ms;
using core::operator""s;

std::string mail_to(std::int64_t member) {
  return R"({"to":"m@example.org","member_id":)" + std::to_string(member) +
         R"(,"template":"spring"})";
}

struct Lane {
  explicit Lane(int port, std::string the_owner = "p1")
      : http("127.0.0.1", port), owner(std::move(the_owner)) {
    http.set_keep_alive(true);
    http.set_tcp_nodelay(true);
    http.set_read_timeout(60);
  }
  httplib::Result post(const std::string& body, const std::string& key = "") {
    httplib::Headers headers;
    if (!key.empty()) headers.emplace("Idempotency-Key", key);
    return http.Post("/" + owner + "/send", headers, body, "application/json");
  }
  // Returns: the status, 0 when there was no answer.
  int send(std::int64_t member, const std::string& key = "") {
    const auto answer = post(mail_to(member), key);
    return answer ? answer->status : 0;
  }

  httplib::Client http;
  std::string owner;
};

class Server : public testing::Test {
 protected:
  ~Server() override { service_.stop(); }

  Lane lane(const std::string& owner = "p1") { return Lane(mail_->port(), owner); }

  // Blocks until the provider has this many requests open. Polls: there is no event for it, on
  // purpose.
  void await_open_requests(std::int64_t count) {
    while (control_.counters().open_requests != count) std::this_thread::yield();
  }

  std::vector<std::string> ledger_lines() {
    const std::string file = testing::TempDir() + "/fake_mail_ledger." + std::to_string(::getpid());
    control_.write_ledger(file);
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back(line.substr(line.find(',') + 1));
    std::filesystem::remove(file);
    return lines;
  }

  Service service_;
  std::unique_ptr<MailServer> mail_ =
      *MailServer::start(service_, {.port = 0, .threads = 80, .certificate = {}, .key = {}});
  std::unique_ptr<ControlServer> control_server_ = *ControlServer::start(service_, 0);
  ControlClient control_{control_server_->port()};
};

TEST_F(Server, AnswersAMailAndWritesItDown) {
  Lane p1 = lane();
  EXPECT_EQ(p1.send(1, "spring:1"), 200);
  EXPECT_EQ(p1.send(1, "\"spring:1\""), 200);
  EXPECT_EQ(p1.send(2), 200);
  const std::vector<std::string> expected = {
      "owner,recipient,key,status,outcome",
      "p1,1,spring:1,200,delivered",
      "p1,1,spring:1,200,repeat",
      "p1,2,,200,delivered",
  };
  EXPECT_EQ(ledger_lines(), expected);
}

TEST_F(Server, CountsRequestsAndConnectionsByOwner) {
  Lane first = lane("p1");
  Lane second = lane("p2");
  for (int i = 0; i < 20; ++i) first.send(i);
  for (int i = 0; i < 3; ++i) lane("p2").send(100 + i);
  const Counters counters = control_.counters();
  EXPECT_EQ(counters.by_owner.at("p1"), (OwnerCounters{20, 20, 1}));
  EXPECT_EQ(counters.by_owner.at("p2"), (OwnerCounters{3, 3, 3}));
  EXPECT_EQ(counters.open_requests, 0);
}

TEST_F(Server, RefusesAMalformedBody) {
  Lane p1 = lane();
  EXPECT_EQ(p1.post("{\"to\":")->status, 400);
  EXPECT_EQ(p1.send(1), 200);  // on the same connection
  EXPECT_EQ(control_.counters().refused, 1);
}

TEST_F(Server, RefusesAHugeBody) {
  Lane p1 = lane();
  const auto answer = p1.post(R"({"member_id":1,"to":")" + std::string(1'000'000, 'x') + "\"}");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(control_.counters().requests, 0);
}

TEST_F(Server, RefusesAPathThatIsTooLong) {
  const auto answer = lane("p" + std::string(4'000, '1')).post(mail_to(1));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 414);
}

TEST_F(Server, DoesWhatItsBehaviourSays) {
  Behaviour behaviour;
  behaviour.rules = {{.status = 422, .every = 997, .tries = 0}};
  behaviour.limit_per_s = 2;
  behaviour.block = 30s;
  control_.set_behaviour(behaviour);
  Lane p1 = lane();
  EXPECT_EQ(p1.send(997), 422);
  EXPECT_EQ(p1.send(1), 200);
  const auto third = p1.post(mail_to(2));
  EXPECT_EQ(third->status, 429);
  EXPECT_EQ(third->get_header_value("Retry-After"), "30");
  control_.advance_clock(30s);
  EXPECT_EQ(p1.send(2), 200);
}

TEST_F(Server, AnswersAfterItsLatency) {
  Behaviour behaviour;
  behaviour.latency = {{.permille = 1000, .latency = 30ms}};
  control_.set_behaviour(behaviour);
  Lane p1 = lane();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(p1.send(1), 200);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
}

TEST_F(Server, IsAwayDuringAnOutage) {
  control_.outage(std::chrono::hours(1));
  EXPECT_EQ(lane().send(1), 503);
  control_.advance_clock(std::chrono::hours(1));
  EXPECT_EQ(lane().send(1), 200);
}

TEST_F(Server, SilenceLastsAsLongAsTheClientWaits) {
  Behaviour behaviour;
  behaviour.permille_accept_then_silence = 1000;
  control_.set_behaviour(behaviour);
  {
    Lane p1 = lane();
    p1.http.set_read_timeout(0, 50'000);
    EXPECT_EQ(p1.send(1, "spring:1"), 0);
  }
  await_open_requests(0);  // the server noticed that the client is gone
  EXPECT_EQ(ledger_lines().back(), "p1,1,spring:1,0,delivered");
}

TEST_F(Server, AcceptsNothingAfterTheTriggerOn64Connections) {
  constexpr std::int64_t freeze_at = 3'000;
  constexpr int lanes = 64;
  control_.set_trigger(freeze_at, true);
  std::atomic<std::int64_t> next_member = 1;
  std::atomic<bool> go_on = true;
  std::vector<std::thread> senders;
  for (int i = 0; i < lanes; ++i)
    senders.emplace_back([&, i] {
      Lane sender = lane(i % 2 == 0 ? "p1" : "p2");
      while (go_on)
        if (sender.send(next_member++) != 200) return;
    });

  const WaitResult waited = control_.wait_for_accepts(freeze_at, 60s);
  EXPECT_TRUE(waited.reached);
  EXPECT_TRUE(waited.owner == "p1" || waited.owner == "p2") << waited.owner;
  await_open_requests(lanes);  // everyone has sent another mail, and waits
  EXPECT_EQ(control_.counters().accepted, freeze_at);
  EXPECT_EQ(control_.counters().requests, freeze_at);

  go_on = false;
  control_.thaw({"p1"});
  for (std::thread& sender : senders) sender.join();
  const Counters counters = control_.counters();
  // The 32 requests of p2 went on; unless p2's was the withheld one, which had been counted before.
  EXPECT_EQ(counters.accepted, freeze_at + lanes / 2 - (waited.owner == "p2" ? 1 : 0));
  EXPECT_EQ(counters.requests, counters.accepted);
  EXPECT_EQ(lane("p1").send(1), 0);  // gone for good
  EXPECT_EQ(control_.counters().requests, counters.requests);
}

TEST_F(Server, AWithheldAnswerIsGivenOnThaw) {
  control_.set_trigger(1, true);
  auto status = std::async(std::launch::async, [&] { return lane().send(1, "spring:1"); });
  EXPECT_EQ(control_.wait_for_accepts(1, 60s).owner, "p1");
  EXPECT_EQ(ledger_lines().back(), "p1,1,spring:1,0,delivered");
  control_.thaw();
  EXPECT_EQ(status.get(), 200);
  EXPECT_EQ(ledger_lines().back(), "p1,1,spring:1,200,delivered");
}

TEST_F(Server, FreezeHoldsEverythingUntilThaw) {
  control_.freeze();
  auto status = std::async(std::launch::async, [&] { return lane().send(1); });
  await_open_requests(1);
  EXPECT_EQ(control_.counters().requests, 0);
  control_.thaw();
  EXPECT_EQ(status.get(), 200);
}

TEST_F(Server, AWaitEndsWithItsTimeOut) {
  lane().send(1);
  const WaitResult waited = control_.wait_for_accepts(2, 1ms);
  EXPECT_FALSE(waited.reached);
  EXPECT_EQ(waited.accepted, 1);
  EXPECT_EQ(waited.owner, "");
}

TEST_F(Server, ControlSaysWhatIsWrong) {
  Behaviour behaviour;
  behaviour.permille_503 = 2000;
  try {
    control_.set_behaviour(behaviour);
    FAIL();
  } catch (const ControlError& error) {
    EXPECT_NE(std::string(error.what()).find("permille_503"), std::string::npos) << error.what();
  }
  EXPECT_THROW(control_.write_ledger("relative.csv"), ControlError);
  EXPECT_THROW(control_.write_ledger("/no/such/folder/ledger.csv"), ControlError);
  EXPECT_THROW(ControlClient(1).counters(), ControlError);
}

TEST_F(Server, StopsWhileRequestsAreFrozenWithheldOrSilent) {
  Behaviour behaviour;
  behaviour.permille_accept_then_silence = 1000;
  control_.set_behaviour(behaviour);
  auto silent = std::async(std::launch::async, [&] { return lane().send(1); });
  EXPECT_TRUE(control_.wait_for_accepts(1, 60s).reached);
  control_.set_behaviour({});
  control_.set_trigger(2, true);
  auto withheld = std::async(std::launch::async, [&] { return lane().send(2); });
  EXPECT_TRUE(control_.wait_for_accepts(2, 60s).reached);
  auto frozen = std::async(std::launch::async, [&] { return lane().send(3); });
  await_open_requests(3);
  service_.stop();
  mail_.reset();
  EXPECT_EQ(silent.get(), 0);
  EXPECT_EQ(withheld.get(), 0);
  EXPECT_EQ(frozen.get(), 0);
}

TEST_F(Server, StopsDuringALongLatency) {
  Behaviour behaviour;
  behaviour.latency = {{.permille = 1000, .latency = std::chrono::hours(1)}};
  control_.set_behaviour(behaviour);
  auto slow = std::async(std::launch::async, [&] { return lane().send(1); });
  EXPECT_TRUE(control_.wait_for_accepts(1, 60s).reached);
  service_.stop();
  mail_.reset();
  EXPECT_EQ(slow.get(), 0);
}

}  // namespace
}  // namespace fake_mail
