// The control API, on a port and threads of its own so that frozen mail traffic can't keep it
// waiting.
//
//   PUT  /behaviour        every field of Behaviour (json.h)
//   PUT  /trigger          {"accept":6000,"freeze":true}
//   GET  /wait?accept=6000&timeout_ms=1000   -> {"reached":true,"accepted":6000,"owner":"p1"}; long
//   poll POST /freeze POST /thaw             {"drop_owners":["p1"]}; no body: nobody is dropped PUT
//   /outage           {"lasts_us":450000000} POST /clock            {"advance_us":86400000000} GET
//   /counters         -> Counters (json.h) POST /ledger           {"file":"/absolute/path"}; writes
//   CSV (ledger.h)
//
// Answers 200, or 400 with {"error":"what is wrong with the request"}, or 500 when the file can't
// be written.
#pragma once

#include <expected>
#include <memory>
#include <string>

namespace fake_mail {

class Service;
class HttpListener;

class ControlServer {
 public:
  // Requires: the service outlives the server and is stopped before its end.
  // Returns: a server that listens, or one line that says what is in the way.
  static std::expected<std::unique_ptr<ControlServer>, std::string> start(Service& service,
                                                                          int port);
  ~ControlServer();
  int port() const;

 private:
  explicit ControlServer(std::unique_ptr<HttpListener> listener);
  std::unique_ptr<HttpListener> listener_;
};

}  // namespace fake_mail
