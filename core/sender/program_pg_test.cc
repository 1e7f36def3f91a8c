// The program: its exit codes, its one line, and what it leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/http/testing/raw_server.h"
#include "core/pg/testing/database.h"
#include "core/sender/testing/program.h"

namespace core::sender {
namespace {

using http::testing::Connection;
using http::testing::RawServer;
using pg::testing::Database;
using testing::Program;
using testing::Variables;
using testing::variables_for;

std::string everything_in(Database& database) {
  std::string rows;
  for (const char* table : {"campaign_targets", "campaigns", "campaign_batches", "provider_rate"}) {
    if (database.sql().value("select to_regclass('" + std::string(table) + "')") == "null")
      continue;
    rows += database.sql().value(
                "select coalesce(string_agg(t::text, e'\\n' order by t::text), '') from " +
                std::string(table) + " t") +
            "\n";
  }
  return rows;
}

// Exit 3, one line that begins like this, no request, and nothing in the database changed.
void expect_refused(Database& database, const Variables& changed, const std::string& line_begins) {
  SCOPED_TRACE(line_begins);
  RawServer mail([](Connection& connection) { connection.wait_until_closed(); });
  Variables variables = variables_for(database, mail.port());
  for (const auto& [name, value] : changed) variables[name] = value;
  const std::string before = everything_in(database);
  Program program(variables);
  EXPECT_EQ(program.exit_code(), 3);
  const std::string said = program.err();
  EXPECT_TRUE(said.starts_with("campaign_sender: " + line_begins)) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(program.out(), "");
  EXPECT_EQ(mail.connections(), 0);
  EXPECT_EQ(everything_in(database), before);
}

TEST(CampaignSender, OfACancelledCampaignSendsNobodyAndIsDone) {
  Database database;
  database.add_members(1, 3);
  RawServer mail([](Connection& connection) { connection.wait_until_closed(); });
  const Variables variables = variables_for(database, mail.port());
  (void)database.store(Policy());
  Program cancel(variables, {"cancel", "--yes"});
  EXPECT_EQ(cancel.exit_code(), 0) << cancel.err();
  Program sender(variables);
  EXPECT_EQ(sender.exit_code(), 0) << sender.err();
  EXPECT_NE(sender.out().find("\"cancelled\""), std::string::npos) << sender.out();
  Program status(variables, {"status"});
  EXPECT_EQ(status.exit_code(), 0) << status.err();
  EXPECT_NE(status.out().find("cancelled"), std::string::npos) << status.out();
  EXPECT_EQ(database.sql().value("select count(*) from campaign_targets where state = 'pending'"),
            "3");
}

// field case: F11
TEST(CampaignSender, RefusesWhatCannotWorkAndTouchesNothing) {
  Database database;
  database.add_members(1, 10);
  expect_refused(database, {{"DEADLINE_S", "abc"}},
                 "DEADLINE_S=abc: must be a whole number of seconds");
  expect_refused(database, {{"LEASE_S", "30"}},
                 "LEASE_S: a lease of 30 s is shorter than its work");
  expect_refused(database, {{"MAIL_URL", "mail"}},
                 "MAIL_URL=mail: must begin with https:// or http://");
  expect_refused(database, {{"CAMPAIGN_ID", "sprnig"}},
                 "CAMPAIGN_ID=sprnig: campaign_targets has no member");
  expect_refused(database, {{"DB_DSN", database.dsn() + " dbname=nonexistent"}}, "");
  database.store({});  // seeds the rate: 500/s
  database.sql().run("insert into provider_rate select 'mail', 2000");
  expect_refused(database, {{"RATE_PER_S", "100"}, {"PROVIDER", "mail"}},
                 "RATE_PER_S=100: provider_rate for mail says");
  expect_refused(database, {{"TEMPLATE", "summer"}},
                 "TEMPLATE=summer: campaign spring was begun with template spring");
}

TEST(CampaignSender, RefusesASchemaThatLacksSomething) {
  Database none(Database::Schema::none);
  expect_refused(none, {}, "DB_DSN: the database has no table campaign_targets");
  Database plain(Database::Schema::plain);
  plain.sql().run("insert into campaign_targets values ('spring', 1, 'a@x.org', null)");
  expect_refused(plain, {}, "the schema lacks ");
}

TEST(CampaignSender, RefusesWhileARowClaimSenderHoldsALease) {
  Database database;
  database.add_members(1, 10);
  database.sql().run("alter table campaign_targets add claim_id uuid, add lease_until timestamptz");
  database.sql().run(
      "update campaign_targets set claim_id = gen_random_uuid(), lease_until = now() + interval '1 "
      "hour'"
      " where member_id <= 2");
  expect_refused(database, {}, "2 members of campaign spring are leased by a row-claim sender");
}

TEST(CampaignSender, ADatabaseThatIsAwayEndsWithWorkRemaining) {
  const std::string dsn =
      "host=127.0.0.1 port=" + std::to_string(RawServer::free_port()) + " user=nobody";
  Program program({{"DB_DSN", dsn},
                   {"CAMPAIGN_ID", "spring"},
                   {"MAIL_URL", "http://127.0.0.1:1/send"},
                   {"DB_PATIENCE_S", "1"}});
  EXPECT_EQ(program.exit_code(), 1);
  EXPECT_TRUE(program.err().starts_with(
      "campaign_sender: DB_DSN: the database is away, given up after 1 s"))
      << program.err();
}

TEST(CampaignSender, ADryRunSaysWhatItWouldDoAndChangesNothing) {
  Database database;
  database.add_members(1, 30);
  database.sql().run("update campaign_targets set opted_out_at = now() where member_id <= 5");
  RawServer mail([](Connection& connection) { connection.wait_until_closed(); });
  const std::string before = everything_in(database);
  Program program(variables_for(database, mail.port()), {"--dry-run=2"});
  EXPECT_EQ(program.exit_code(), 0);
  const std::string said = program.out();
  EXPECT_NE(said.find("campaign spring, template spring: 30 members\n"), std::string::npos) << said;
  EXPECT_NE(said.find("would be mailed  25\n"), std::string::npos) << said;
  EXPECT_NE(said.find("opted out        5\n"), std::string::npos) << said;
  EXPECT_NE(
      said.find("\n6 m6@example.org\n7 m7@example.org\n... and 23 more; --dry-run=25 lists all\n"),
      std::string::npos)
      << said;
  EXPECT_EQ(everything_in(database), before);
  EXPECT_EQ(mail.connections(), 0);
}

// The connection is made, and then there is silence.
// field case: F24
TEST(CampaignSender, ADatabaseThatIsSilentAtTheStartEndsWithWorkRemaining) {
  RawServer silent([](Connection& connection) { connection.wait_until_closed(); });
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"--dry-run"}}) {
    Program program({{"DB_DSN", "host=127.0.0.1 sslmode=disable dbname=x user=x port=" +
                                    std::to_string(silent.port())},
                     {"CAMPAIGN_ID", "spring"},
                     {"MAIL_URL", "http://127.0.0.1:1/send"},
                     {"DB_PATIENCE_S", "1"},
                     {"STATEMENT_TIMEOUT_S", "1"}},
                    arguments);
    EXPECT_EQ(program.exit_code(), 1);
    EXPECT_EQ(program.err(),
              "campaign_sender: DB_DSN: the database does not answer, given up after 4 s\n");
  }
}

TEST(CampaignSender, HelpFitsAHundredColumns) {
  Program program({}, {"--help"});
  EXPECT_EQ(program.exit_code(), 0);
  std::istringstream lines(program.out());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  for (const char* name : {"DB_DSN", "CAMPAIGN_ID", "MAIL_URL", "DEADLINE_S", "MIN_INTERVAL_S",
                           "LANES", "RATE_PER_S"}) {
    EXPECT_NE(program.out().find("\n  " + std::string(name) + " "), std::string::npos) << name;
  }
}

TEST(CampaignSender, RefusesArgumentsThatItDoesNotKnow) {
  for (const char* argument :
       {"--dryrun", "--dry-run=", "--dry-run=-1", "--dry-run=5x", "spring"}) {
    Program program({}, {argument});
    EXPECT_EQ(program.exit_code(), 3) << argument;
    const std::string said = program.err();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

// A provider of sockets; `answer` decides each request, in the request's own thread.
class Provider {
 public:
  explicit Provider(std::function<int(const httplib::Request&)> answer) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(110); };
    server_.set_keep_alive_max_count(1'000'000);  // closing one races the next request on it
    server_.Post("/p1/send", [answer = std::move(answer)](const httplib::Request& request,
                                                          httplib::Response& response) {
      response.status = answer(request);
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Provider() {
    server_.stop();
    thread_.join();
  }
  int port() const { return port_; }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::vector<nlohmann::json> lines_of(const Program& program) {
  std::istringstream text(program.out());
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

nlohmann::json finished(const Program& program) {
  const nlohmann::json last = lines_of(program).back();
  EXPECT_EQ(last.at("event"), "finished");
  return last;
}

TEST(CampaignSender, SendsACampaignAndReportsIt) {
  Database database;
  database.add_members(1, 1000);
  std::atomic<int> requests{0};
  Provider provider([&](const httplib::Request& request) {
    ++requests;
    return request.body.find("\"member_id\":997,") != std::string::npos ? 422 : 200;
  });
  Program program(variables_for(database, provider.port()));
  EXPECT_EQ(program.exit_code(), 0) << program.err();
  EXPECT_EQ(requests, 1000);
  const nlohmann::json report = finished(program).at("report");
  EXPECT_EQ(report.at("sent"), 999);
  EXPECT_EQ(report.at("failed"), 1);
  EXPECT_EQ(report.at("remaining"), 0);
  EXPECT_EQ(report.at("stale_writes"), 0);
  for (const nlohmann::json& line : lines_of(program)) {
    EXPECT_THAT(line.at("at").get<std::string>(),
                ::testing::MatchesRegex("20..-..-..T..:..:..\\....Z"));
  }
  EXPECT_EQ(database.sql().number("select count(*) from campaign_targets where state = 'sent'"),
            999);
  EXPECT_EQ(program.err(), "");
}

// Two hours from now on, for an hour.
std::string later_window(Database& database) {
  const auto at = [&](const std::string& hours) {
    return database.sql().value("select to_char(campaign_clock() at time zone 'UTC' + interval '" +
                                hours + " hours', 'HH24:MI')");
  };
  return at("2") + "-" + at("3") + " UTC";
}

TEST(CampaignSender, StartedOutsideOfItsWindowItSaysWhenThatOpens) {
  Database database;
  database.add_members(1, 10);
  RawServer mail([](Connection& connection) { connection.wait_until_closed(); });
  Variables variables = variables_for(database, mail.port());
  variables["WINDOW"] = later_window(database);
  Program program(variables);
  EXPECT_EQ(program.exit_code(), 1) << program.out();
  EXPECT_TRUE(program.out().contains("\"reason\":\"the window opens at 20")) << program.out();
  EXPECT_EQ(mail.connections(), 0);
}

TEST(CampaignSender, WaitsForItsWindowWithinItsDeadline) {
  Database database;
  database.add_members(1, 10);
  Provider provider([](const httplib::Request&) { return 200; });
  Variables variables = variables_for(database, provider.port());
  variables["WINDOW"] = later_window(database);
  variables["DEADLINE_S"] = "20000";
  variables["POLL_MS"] = "20";
  Program program(variables);
  while (!program.out().contains("\"event\":\"waiting\"")) std::this_thread::yield();
  EXPECT_TRUE(program.out().contains("\"holding\":0")) << program.out();
  database.pass(std::chrono::hours(2));
  EXPECT_EQ(program.exit_code(), 0) << program.out();
}

TEST(CampaignSender, AfterTheLastDateNobodyIsMailedAndAPersonMustLook) {
  Database database;
  database.add_members(1, 10);
  RawServer mail([](Connection& connection) { connection.wait_until_closed(); });
  Variables variables = variables_for(database, mail.port());
  variables["NOT_AFTER"] = "2026-01-01T00:00Z";
  Program program(variables);
  EXPECT_EQ(program.exit_code(), 2) << program.out();
  EXPECT_TRUE(program.out().contains("\"reason\":\"10 members were never mailed: "))
      << program.out();
  EXPECT_EQ(mail.connections(), 0);
}

// The provider answers only once the program has said that it heard the signal.
// field case: F10
TEST(CampaignSender, AfterSigtermNoRequestStartsAndTheRestIsReleased) {
  Database database;
  database.add_members(1, 1000);
  std::atomic<int> requests{0};
  std::promise<void> all_lanes_busy, heard;
  const std::shared_future<void> is_heard = heard.get_future().share();
  Provider provider([&](const httplib::Request&) {
    if (++requests == 10) all_lanes_busy.set_value();
    is_heard.wait();
    return 200;
  });
  Variables variables = variables_for(database, provider.port());
  variables.insert({{"LANES", "10"}, {"READ_TIMEOUT_S", "120"}, {"LEASE_S", "300"}});
  Program program(variables);
  all_lanes_busy.get_future().wait();
  program.stop();
  while (program.out().find("\"event\":\"stopping\",\"in_flight\":10,") == std::string::npos) {
    std::this_thread::yield();
  }
  heard.set_value();
  EXPECT_EQ(program.exit_code(), 1) << program.err();
  EXPECT_EQ(requests, 10);
  EXPECT_EQ(finished(program).at("report").at("sent"), 10);
  EXPECT_EQ(finished(program).at("report").at("remaining"), 990);
  EXPECT_EQ(database.sql().number("select count(*) from campaign_batches where state = 'leased'"
                                  " or maybe_sent_since is not null and state = 'open'"),
            0);
  EXPECT_EQ(database.sql().number("select count(*) from campaign_targets where attempts > 0"
                                  " or maybe_sent_since is not null"),
            0);
}

TEST(CampaignSender, IsSeenWhileItSendsAndWhenItHasEnded) {
  Database database;
  database.add_members(1, 20);
  std::atomic<int> requests{0};
  std::promise<void> all_lanes_busy, scraped;
  const std::shared_future<void> is_scraped = scraped.get_future().share();
  Provider provider([&](const httplib::Request&) {
    if (++requests == 10) all_lanes_busy.set_value();
    is_scraped.wait();
    return 200;
  });
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("sendproof_seen_" + std::to_string(getpid()) + ".prom");
  Variables variables = variables_for(database, provider.port());
  variables.insert(
      {{"LANES", "10"}, {"METRICS_LISTEN", "127.0.0.1:0"}, {"METRICS_FILE", file.string()}});
  Program program(variables);
  all_lanes_busy.get_future().wait();
  const std::string said = program.out();
  const std::string begins = "{\"event\":\"metrics\",\"port\":";
  ASSERT_NE(said.find(begins), std::string::npos) << said;
  httplib::Client scraper("127.0.0.1", std::stoi(said.substr(said.find(begins) + begins.size())));
  const auto page = scraper.Get("/metrics");
  scraped.set_value();
  ASSERT_TRUE(page);
  EXPECT_NE(page->body.find("requests_in_flight{campaign=\"spring\"} 10\n"), std::string::npos)
      << page->body;
  EXPECT_EQ(program.exit_code(), 0) << program.err();
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  for (const char* line : {"requests_total{campaign=\"spring\",kind=\"sent\"} 20\n",
                           "recorded_total{campaign=\"spring\",state=\"sent\"} 20\n",
                           "claims_total{campaign=\"spring\",of=\"batch\"} 1\n",
                           "campaign_members{campaign=\"spring\",state=\"sent\"} 20\n",
                           "exit_code{campaign=\"spring\"} 0\n"})
    EXPECT_NE(text.str().find(line), std::string::npos) << line << text.str();
}

}  // namespace
}  // namespace core::sender
