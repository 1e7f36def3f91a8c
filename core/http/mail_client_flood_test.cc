// What a provider that never ends its answer's head costs: neither memory nor a neighbour.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/http/mail_client.h"
#include "core/http/testing/raw_server.h"

namespace core::http {
namespace {

using testing::Connection;
using testing::RawServer;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long kib_max = 16 * 1024;  // what is freed is kept for a while, to be watched
#else
constexpr long kib_max = 1024;
#endif

// The most that was resident since the last begin_peak(), or what is now.
long resident_kib(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stol(line.substr(field.size()));
  }
  return -1;
}
void begin_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

// A hundred times what a lane would have to take to be seen.
constexpr std::size_t flood_bytes = 100 << 20;

// `repeated` follows `begin` until the client leaves; then an answer to its next request.
void expect_bounded(const std::string& repeated, const std::string& begin = "HTTP/1.1 200 OK\r\n") {
  SCOPED_TRACE(repeated.substr(0, 20));
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  std::string block;
  while (block.size() < (64 << 10)) block += repeated;
  std::size_t taken = 0;
  RawServer server([&, served = 0](Connection& connection) mutable {
    const bool first = ++served == 1;
    while (!connection.read_request().empty()) {
      connection.write(first ? begin : ok);
      while (first && taken < flood_bytes && connection.write(block)) taken += block.size();
      if (first) return;
    }
  });
  MailSettings settings;
  settings.url = {false, "127.0.0.1", server.port(), "/send"};
  settings.campaign = settings.template_name = "spring";
  settings.connect_timeout = settings.read_timeout = 60s;
  const auto client = MailClients(settings).client();
  begin_peak();
  const long before = resident_kib("VmRSS:");
  EXPECT_EQ(client->send(MemberId(1), "a@x.org").transport, Transport::in_doubt);
  EXPECT_LT(resident_kib("VmHWM:") - before, kib_max);
  EXPECT_EQ(client->send(MemberId(2), "a@x.org").status, 200);
  server.wait_until_closed(1);
  EXPECT_LT(taken, flood_bytes);
}

// field case: F33
TEST(MailClientFlood, AHeaderLineWithoutEndIsBoundedAndInDoubt) {
  expect_bounded("x");
}

// field case: F33
TEST(MailClientFlood, HeaderLinesWithoutEndAreBoundedAndInDoubt) {
  expect_bounded("a:\r\n");
  expect_bounded("Set-Cookie: " + std::string(4000, 'x') + "\r\n");
}

// field case: F33
TEST(MailClientFlood, InterimAnswersWithoutEndAreBoundedAndInDoubt) {
  expect_bounded("HTTP/1.1 100 Continue\r\n\r\n", "");
}

// Bodies are not kept, but the marks between their chunks are lines too.
TEST(MailClientFlood, AChunkMarkWithoutEndIsBoundedAndKeepsTheStatus) {
  RawServer server([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string block(64 << 10, '0');
    for (std::size_t taken = 0; taken < flood_bytes && connection.write(block);)
      taken += block.size();
  });
  MailSettings settings;
  settings.url = {false, "127.0.0.1", server.port(), "/send"};
  settings.campaign = settings.template_name = "spring";
  settings.connect_timeout = settings.read_timeout = 60s;
  const auto client = MailClients(settings).client();
  begin_peak();
  const long before = resident_kib("VmRSS:");
  EXPECT_EQ(client->send(MemberId(1), "a@x.org").status, 503);
  EXPECT_LT(resident_kib("VmHWM:") - before, kib_max);
}

}  // namespace
}  // namespace core::http
