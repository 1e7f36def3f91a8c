// The client over real sockets: what it sends, and what becomes of every way an answer can go
// wrong.
#include "core/http/mail_client.h"

#include <gtest/gtest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "core/http/testing/raw_server.h"

namespace core::http {
namespace {

using testing::Connection;
using testing::RawServer;

constexpr const char* ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
constexpr const char* unavailable = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

MailSettings settings_for(int port) {
  MailSettings settings;
  settings.url = {false, "127.0.0.1", port, "/p1/send"};
  settings.campaign = "spring-2026";
  settings.template_name = "spring";
  settings.connect_timeout = settings.read_timeout = 60s;
  settings.retry_after_max = 24h;
  return settings;
}

std::unique_ptr<Provider> client_for(int port) {
  return MailClients(settings_for(port)).client();
}

// Sends one mail to a server that answers `bytes` and then waits for the client to close.
SendAnswer answer_to(const std::string& bytes) {
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.write(bytes);
    connection.wait_until_closed();
  });
  const auto client = client_for(server.port());
  return client->send(MemberId(7), "a@x.org");
}

std::string field(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "(none)";
  const std::size_t value = at + name.size() + 4;
  return request.substr(value, request.find("\r\n", value) - value);
}

// field case: F26
TEST(MailClient, SendsTheMailUnderItsKeyByteByByte) {
  std::string request;
  RawServer server([&](Connection& connection) {
    while (!(request = connection.read_request()).empty()) {
      connection.write(ok);
      break;
    }
    connection.wait_until_closed();
  });
  MailSettings settings = settings_for(server.port());
  settings.api_key = "s3cret";
  const auto client = MailClients(settings).client();
  const std::string address = "\"o'brien \\ jos\u00e9\"@b\u00fccher.example";
  EXPECT_EQ(classify(client->send(MemberId(9'007'199'254'740'993), address)), AnswerKind::sent);
  EXPECT_TRUE(request.starts_with("POST /p1/send HTTP/1.1\r\n")) << request;
  EXPECT_EQ(field(request, "Idempotency-Key"), "\"spring-2026:9007199254740993\"");
  EXPECT_EQ(field(request, "Content-Type"), "application/json");
  EXPECT_EQ(field(request, "Authorization"), "Bearer s3cret");
  const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
  EXPECT_EQ(body,
            (nlohmann::json{
                {"to", address}, {"member_id", 9'007'199'254'740'993}, {"template", "spring"}}));
}

TEST(MailClient, AStatusIsTheAnswer) {
  EXPECT_EQ(answer_to(ok).status, 200);
  const SendAnswer refused =
      answer_to("HTTP/1.1 422 Unprocessable\r\nContent-Length: 3\r\n\r\nno!");
  EXPECT_EQ(refused.transport, Transport::answered);
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(answer_to("HTTP/1.1 204 No Content\r\n\r\n").status, 204);
}

TEST(MailClient, ARedirectIsNotFollowed) {
  RawServer target([](Connection& connection) { connection.wait_until_closed(); });
  const SendAnswer answer =
      answer_to("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:" +
                std::to_string(target.port()) + "/\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(answer.status, 307);
  EXPECT_EQ(target.connections(), 0);
}

// field case: F28
TEST(MailClient, ReadsRetryAfterAndTheLongestOfTwo) {
  const std::string head = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n";
  EXPECT_EQ(answer_to(head + "Retry-After: 7\r\n\r\n").retry_after, 7s);
  EXPECT_EQ(answer_to(head + "Retry-After:   7  \r\n\r\n").retry_after, 7s);
  EXPECT_EQ(answer_to(head + "retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n").retry_after, 0s);
  EXPECT_EQ(answer_to(head + "\r\n").retry_after, std::nullopt);
  EXPECT_EQ(answer_to(head + "Retry-After: -7\r\n\r\n").retry_after, std::nullopt);
  EXPECT_EQ(answer_to(head + "Retry-After:\r\n\r\n").retry_after, std::nullopt);
  EXPECT_EQ(answer_to(head + "Retry-After: 7\r\nRetry-After: 9\r\n\r\n").retry_after, 9s);
  EXPECT_EQ(answer_to(head + "Retry-After: 7\r\nRetry-After: junk\r\n\r\n").retry_after, 7s);
}

// This machine's clock may be wrong by years.
// field case: F14
TEST(MailClient, ARetryAfterDateIsMeasuredByTheProvidersClock) {
  const std::string head =
      "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
  EXPECT_EQ(answer_to(head + "Retry-After: Sun, 06 Nov 1994 08:50:37 GMT\r\n\r\n").retry_after,
            60s);
}

TEST(MailClient, WhereNobodyListensNothingWasSent) {
  const auto client = client_for(RawServer::free_port());
  const SendAnswer answer = client->send(MemberId(7), "a@x.org");
  EXPECT_EQ(answer.transport, Transport::not_sent);
}

// Sent once, whatever the HTTP library would like to try again.
// field case: F03
TEST(MailClient, AConnectionClosedWithoutAnAnswerIsInDoubt) {
  std::atomic<int> requests{0};
  RawServer server(
      [&](Connection& connection) { requests += connection.read_request().empty() ? 0 : 1; });
  const auto client = client_for(server.port());
  EXPECT_EQ(client->send(MemberId(7), "a@x.org").transport, Transport::in_doubt);
  EXPECT_EQ(requests, 1);
  EXPECT_EQ(server.connections(), 1);
}

TEST(MailClient, GarbageAndHalfAHeaderAreInDoubt) {
  for (const std::string bytes :
       {"garbage\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Le"}) {
    RawServer server([&](Connection& connection) {
      connection.read_request();
      connection.write(bytes);
    });
    const auto client = client_for(server.port());
    EXPECT_EQ(client->send(MemberId(7), "a@x.org").transport, Transport::in_doubt) << bytes;
  }
}

// The status line was whole, so it stands; only the body is missing.
TEST(MailClient, ABodyThatBreaksOffLeavesItsStatus) {
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
  });
  const auto client = client_for(server.port());
  const SendAnswer answer = client->send(MemberId(7), "a@x.org");
  EXPECT_EQ(answer.transport, Transport::answered);
  EXPECT_EQ(answer.status, 200);
}

TEST(MailClient, KeepsItsConnection) {
  RawServer server([&](Connection& connection) {
    while (!connection.read_request().empty()) connection.write(ok);
  });
  const auto client = client_for(server.port());
  for (int member = 1; member <= 3; ++member)
    EXPECT_EQ(client->send(MemberId(member), "a@x.org").status, 200);
  EXPECT_EQ(server.connections(), 1);
}

TEST(MailClient, AnIdleConnectionThatTheServerClosedIsReplaced) {
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.write(ok);
  });
  const auto client = client_for(server.port());
  for (int member = 1; member <= 3; ++member) {
    EXPECT_EQ(client->send(MemberId(member), "a@x.org").status, 200);
    server.wait_until_closed(member);  // in time for the client to notice: before its next request
  }
  EXPECT_EQ(server.connections(), 3);
}

// field case: F25, F33
TEST(MailClient, AMegabyteOfErrorDoesNotReachTheNextRequest) {
  std::atomic<int> requests{0};
  RawServer server([&](Connection& connection) {
    while (!connection.read_request().empty()) {
      const bool first = ++requests == 1;
      if (!first) {
        connection.write(ok);
      } else if (!connection.write("HTTP/1.1 503 Unavailable\r\nContent-Length: 1000000\r\n\r\n" +
                                   std::string(1'000'000, 'x'))) {
        return;
      }
    }
  });
  const auto client = client_for(server.port());
  EXPECT_EQ(client->send(MemberId(1), "a@x.org").status, 503);
  EXPECT_EQ(client->send(MemberId(2), "a@x.org").status, 200);
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(server.connections(), 2);  // the rest of the body cost the connection
}

// Anything but an answer to the request before it would be the answer to the next.
// field case: F33
TEST(MailClient, WhatComesAfterAnAnswersEndDoesNotReachTheNextRequest) {
  for (const std::size_t filling : {std::size_t{0}, std::size_t{5000}}) {
    RawServer server([&, served = 0](Connection& connection) mutable {
      const bool first = ++served == 1;
      while (!connection.read_request().empty()) {
        connection.write(first ? unavailable + std::string(filling, 'x') + ok : ok);
      }
    });
    const auto client = client_for(server.port());
    EXPECT_EQ(client->send(MemberId(1), "a@x.org").status, 503);
    EXPECT_EQ(client->send(MemberId(2), "a@x.org").transport, Transport::answered);
    EXPECT_EQ(server.connections(), 2) << filling;
  }
}

// field case: F33
// More than one read takes: the rest waits in the socket. Found by: ./dev fuzz mail_client
TEST(MailClient, WhatAnAnswerLeftUnreadIsNobodyElsesAnswer) {
  std::atomic<int> requests{0};
  RawServer server([&](Connection& connection) {
    while (!connection.read_request().empty()) {
      std::string bytes = unavailable;
      const bool first = ++requests == 1;
      for (int unasked = 0; first && unasked < 400; ++unasked) bytes += ok;
      connection.write(bytes);
    }
  });
  const auto client = client_for(server.port());
  EXPECT_EQ(client->send(MemberId(1), "a@x.org").status, 503);
  EXPECT_EQ(client->send(MemberId(2), "b@x.org").status, 503);
  EXPECT_EQ(server.connections(), 2);
}

// field case: F33
TEST(MailClient, ABodyThatNeverEndsKeepsItsStatusAndEndsByItself) {
  for (const int code : {200, 503}) {
    RawServer server([&](Connection& connection) {
      connection.read_request();
      connection.write("HTTP/1.1 " + std::to_string(code) +
                       " X\r\nTransfer-Encoding: chunked\r\n\r\n");
      const std::string chunk = "400\r\n" + std::string(0x400, 'x') + "\r\n";
      while (connection.write(chunk)) {
      }
    });
    const auto client = client_for(server.port());
    const SendAnswer answer = client->send(MemberId(7), "a@x.org");
    EXPECT_EQ(answer.transport, Transport::answered);
    EXPECT_EQ(answer.status, code);
  }
}

// Cancels like the owner of a lane, again and again, once the server has the request.
SendAnswer cancelled(Provider& client, std::promise<void>& request_read) {
  auto answer = std::async(std::launch::async, [&] { return client.send(MemberId(7), "a@x.org"); });
  request_read.get_future().wait();
  while (answer.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    client.cancel();
  return answer.get();
}

TEST(MailClient, AHeaderThatNeverEndsIsEndedByCancelAndInDoubt) {
  std::promise<void> request_read;
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nX-Endless: ");
    request_read.set_value();
    connection.wait_until_closed();
  });
  const auto client = client_for(server.port());
  EXPECT_EQ(cancelled(*client, request_read).transport, Transport::in_doubt);
}

TEST(MailClient, AProviderThatSaysNothingIsEndedByCancelAndInDoubt) {
  std::promise<void> request_read;
  RawServer server([&](Connection& connection) {
    connection.read_request();
    request_read.set_value();
    connection.wait_until_closed();
  });
  const auto client = client_for(server.port());
  EXPECT_EQ(cancelled(*client, request_read).transport, Transport::in_doubt);
}

TEST(MailClient, AfterACancelTheNextRequestIsSentAnew) {
  std::promise<void> request_read;
  int connections = 0;
  RawServer server([&](Connection& connection) {
    connection.read_request();
    if (++connections == 1) {
      request_read.set_value();
    } else {
      connection.write(ok);
    }
    connection.wait_until_closed();
  });
  const auto client = client_for(server.port());
  cancelled(*client, request_read);
  EXPECT_EQ(client->send(MemberId(8), "a@x.org").status, 200);
}

TEST(MailClient, TheReadTimeoutIsInDoubt) {
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.wait_until_closed();
  });
  MailSettings settings = settings_for(server.port());
  settings.read_timeout = 50ms;
  const auto client = MailClients(settings).client();
  EXPECT_EQ(client->send(MemberId(7), "a@x.org").transport, Transport::in_doubt);
}

// field case: F34
TEST(MailClient, AnAddressCannotAddAHeaderOrAField) {
  std::string request;
  RawServer server([&](Connection& connection) {
    request = connection.read_request();
    connection.write(unavailable);
    connection.wait_until_closed();
  });
  const auto client = client_for(server.port());
  const std::string address = "a@x.org\r\nBcc: all@x.org\",\"member_id\":8,\"x\":\"";
  client->send(MemberId(7), address);
  EXPECT_EQ(field(request, "Bcc"), "(none)");
  const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
  EXPECT_EQ(body.size(), 3u);
  EXPECT_EQ(body.at("to"), address);
  EXPECT_EQ(body.at("member_id"), 7);
}

}  // namespace
}  // namespace core::http
