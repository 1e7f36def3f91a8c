// Any bytes as a provider's answer, and as the address in the request before it. A second mail over
// the same client must get its own answer whatever the first one left on the wire; after a text
// that ends with + that is 8 KiB of answers that nobody asked for, more than one read takes.
#include <algorithm>
#include <array>
#include <atomic>
#include <nlohmann/json.hpp>
#include <semaphore>

#include "core/assert.h"
#include "core/http/mail_client.h"
#include "core/http/testing/raw_server.h"
#include "core/testing/fuzz.h"

namespace core::http {
namespace {

using testing::Connection;
using testing::RawServer;

constexpr const char* busy = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
constexpr const char* unasked = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

// Answers member 1 with `bytes` and the end of the stream, every other one with `busy`.
struct Exchange {
  std::string bytes;
  std::string request;  // of member 1
  std::binary_semaphore answered{0};
};

class Server {
 public:
  int port() const { return server_.port(); }
  void expect(Exchange& exchange) { exchange_ = &exchange; }

 private:
  void serve(Connection& connection) {
    const std::string request = connection.read_request();
    if (request.find(":1\"\r\n") == std::string::npos) {
      connection.write(busy);
      return;
    }
    Exchange& exchange = *exchange_.load();
    exchange.request = request;
    connection.write(exchange.bytes);
    connection.end_writing();
    exchange.answered.release();
    connection.wait_until_closed();
  }

  std::atomic<Exchange*> exchange_{nullptr};
  RawServer server_{[this](Connection& connection) { serve(connection); }};
};

std::string body_of(const std::string& request) {
  return request.substr(request.find("\r\n\r\n") + 4);
}

// The header has the lines that it always has, and the body is one object of three fields.
void adds_nothing(const std::string& request, const std::string& address) {
  static constexpr std::array<std::string_view, 9> known = {"POST /p1/send HTTP/1.1",
                                                            "Host: ",
                                                            "Accept: ",
                                                            "User-Agent: ",
                                                            "Connection: ",
                                                            "Content-Length: ",
                                                            "Content-Type: ",
                                                            "Authorization: Bearer s3cret",
                                                            "Idempotency-Key: \"spring-2026:1\""};
  std::string_view head(request.data(), request.find("\r\n\r\n") + 2);
  std::size_t lines = 0;
  for (; !head.empty(); head.remove_prefix(head.find("\r\n") + 2), ++lines) {
    ASSERT(std::ranges::any_of(known, [&](auto name) { return head.starts_with(name); }));
  }
  ASSERT(lines <= known.size());
  const auto body = nlohmann::json::parse(body_of(request), nullptr, /*allow_exceptions=*/false);
  if (body.is_discarded()) return;  // not UTF-8: address_fuzz.cc
  ASSERT(body.size() == 3 && body.at("member_id") == 1 && body.at("template") == "spring");
  ASSERT(body.at("to").get_ref<const std::string&>() == address);
}

// "HTTP/1.1 200": the status of a line that begins like a status line.
bool stands_in(std::string_view bytes, int status) {
  const std::string number = " " + std::to_string(status);
  return bytes.find("HTTP/1.1" + number) != std::string_view::npos ||
         bytes.find("HTTP/1.0" + number) != std::string_view::npos;
}

// The plainest whole answer: a status line, no header.
int plain_status(std::string_view bytes) {
  if (!bytes.starts_with("HTTP/1.1 ") || bytes.size() < 17) return 0;
  if (bytes.substr(12, 5) != " \r\n\r\n") return 0;
  int status = 0;
  for (const char c : bytes.substr(9, 3)) {
    if (c < '0' || c > '9') return 0;
    status = status * 10 + (c - '0');
  }
  return status;
}

void check_first(const SendAnswer& answer, const std::string& bytes) {
  ASSERT(answer.transport == Transport::answered || answer.transport == Transport::in_doubt);
  ASSERT(!answer.retry_after || (*answer.retry_after >= 0s && *answer.retry_after <= 24h));
  if (answer.transport == Transport::answered) {
    ASSERT(stands_in(bytes, answer.status));
    ASSERT((classify(answer) == AnswerKind::sent) == (answer.status == 200));
  }
  if (const int status = plain_status(bytes); status >= 200) ASSERT(answer.status == status);
}

}  // namespace
}  // namespace core::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace core;
  using namespace core::http;
  static Server& server = *new Server;  // of the whole process: threads may outlive main
  const std::string text(core::testing::text_of(data, size));

  Exchange exchange;
  exchange.bytes = text;
  if (text.ends_with('+')) {
    exchange.bytes.pop_back();
    while (exchange.bytes.size() < text.size() + 8192) exchange.bytes += unasked;
  }
  server.expect(exchange);
  MailSettings settings;
  settings.url = {false, "127.0.0.1", server.port(), "/p1/send"};
  settings.campaign = "spring-2026";
  settings.template_name = "spring";
  settings.api_key = "s3cret";
  settings.connect_timeout = settings.read_timeout = 60s;
  settings.retry_after_max = 24h;
  const auto client = MailClients(settings).client();

  const SendAnswer first = client->send(MemberId(1), text);
  exchange.answered.acquire();
  adds_nothing(exchange.request, text);
  check_first(first, exchange.bytes);

  const SendAnswer second = client->send(MemberId(2), "b@x.org");
  ASSERT(second.transport == Transport::answered && second.status == 503);
  ASSERT(second.retry_after == 7s);
  return 0;
}
