// The whole program against what the field found: odd ids, odd errors.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

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

// One lane: the server takes one connection after the other.
Variables one_lane(const Database& database, int mail_port) {
  Variables variables = testing::variables_for(database, mail_port);
  variables["LANES"] = "1";
  return variables;
}

std::string key_of(const std::string& request) {
  const std::size_t at = request.find("Idempotency-Key: ");
  return request.substr(at + 17, request.find("\r\n", at) - at - 17);
}

// field case: F26
TEST(CampaignSender, MembersBeyond2To53AreSentAndRecordedExactly) {
  Database database;
  const std::vector<std::string> ids = {"-1", "2147483648", "9007199254740993",
                                        "9223372036854775807"};
  for (const std::string& id : ids)
    database.sql().run(
        "insert into campaign_targets (campaign_id, member_id, email) values"
        " ('spring', " +
        id + ", 'm" + id + "@example.org')");
  std::set<std::string> seen;
  RawServer mail([&](Connection& connection) {
    for (std::string request; !(request = connection.read_request()).empty();) {
      const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
      seen.insert(key_of(request) + " " + body.at("member_id").dump() + " " +
                  body.at("to").get<std::string>());
      // The largest is refused, so that its id is in a report.
      connection.write(request.contains("9223372036854775807")
                           ? "HTTP/1.1 422 No\r\nContent-Length: 0\r\n\r\n"
                           : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
  });
  Program program(one_lane(database, mail.port()));
  EXPECT_EQ(program.exit_code(), 2) << program.err();  // one of four failed
  std::set<std::string> expected;
  for (const std::string& id : ids)
    expected.insert("\"spring:" + id + "\" " + id + " m" + id + "@example.org");
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(database.sql().value("select string_agg(member_id || ' ' || state, ', ' order by"
                                 " member_id) from campaign_targets"),
            "-1 sent, 2147483648 sent, 9007199254740993 sent, 9223372036854775807 failed");
}

// Ten megabytes that are no text in any encoding, in the reason and in the body.
// field case: F25
TEST(CampaignSender, WhateverAnErrorSaysItsRowSaysOnlyItsStatus) {
  Database database;
  database.add_members(1, 3);
  const std::string nonsense = "\xff\xfe' \"\\ {,} \xc3";
  RawServer mail([&](Connection& connection) {
    for (std::string request; !(request = connection.read_request()).empty();) {
      const bool odd = request.contains("\"member_id\":2,");
      std::string body(odd ? 10'000'000 : 0, '\xff');
      for (std::size_t i = 0; i < body.size(); i += 100) body[i] = '\0';
      if (!connection.write((odd ? "HTTP/1.1 500 " + nonsense : "HTTP/1.1 200 OK") +
                            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                            body))
        return;
    }
  });
  Program program(one_lane(database, mail.port()));
  const auto reason = [&] {
    return database.sql().value("select reason from campaign_targets where member_id = 2");
  };
  while (reason() == "null") std::this_thread::yield();
  program.stop();
  EXPECT_EQ(program.exit_code(), 1) << program.err();
  EXPECT_EQ(reason(), "http 500");
  EXPECT_EQ(database.sql().value("select string_agg(member_id || ' ' || state, ', ' order by"
                                 " member_id) from campaign_targets"),
            "1 sent, 2 pending, 3 sent");
}

// Five times the provider takes a mail and closes the connection without a word, and somebody ends
// the sender and starts it again.
// field case: F03
TEST(CampaignSender, ConnectionsThatDropAndFiveRestartsSendEveryMemberOnce) {
  Database database;
  database.add_members(1, 600);
  std::atomic<Program*> running{nullptr};
  std::set<std::string> keys;
  int requests = 0;
  RawServer mail([&](Connection& connection) {
    for (std::string request; !(request = connection.read_request()).empty();) {
      ++requests;
      const bool is_new = keys.insert(key_of(request)).second;
      if (is_new && keys.size() % 100 == 0 && keys.size() <= 500) {
        running.load()->stop();
        return;
      }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
  });
  Variables variables = one_lane(database, mail.port());
  variables["BACKOFF_S"] = "1";
  std::vector<int> codes;
  do {
    Program program(variables);
    running = &program;
    codes.push_back(program.exit_code());
  } while (codes.back() == 1 && codes.size() < 10);
  EXPECT_EQ(codes, (std::vector<int>{1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(keys.size(), 600u);
  EXPECT_EQ(requests, 605);  // each of the five once more, under its key
  EXPECT_EQ(database.sql().number("select count(*) from campaign_targets where state = 'sent'"),
            600);
}

}  // namespace
}  // namespace core::sender
