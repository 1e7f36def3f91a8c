// A provider at the level of bytes, for tests: says what no well-kept server would.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace core::http::testing {

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  // A whole request, header and body; empty: the client has closed.
  std::string read_request();
  // false: the client is gone.
  bool write(std::string_view bytes) const;
  void end_writing() const;  // the client reads an end; what it writes is still read
  void wait_until_closed() const;

 private:
  int socket_;
  std::string rest_;
};

// 127.0.0.1 only. Serves connections one after the other in a thread of its own; each is closed
// when `serve` returns.
class RawServer {
 public:
  explicit RawServer(std::function<void(Connection&)> serve);
  // Cuts off whoever is being served, and joins.
  ~RawServer();
  int port() const { return port_; }
  int connections() const { return connections_; }
  // Blocks until so many connections have been served and closed.
  void wait_until_closed(int connections) const;
  static int free_port();  // nobody listens there

 private:
  int listening_ = -1;
  int port_ = 0;
  std::atomic<int> current_{-1};
  std::atomic<int> connections_{0};
  std::atomic<int> closed_{0};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace core::http::testing
