// Stands between the sender's processes and PostgreSQL, and does to the nth statement of a name
// what a scenario says (strikes.h). Each process has a door of its own, so that it is known whose
// statement it is.
//
// Ownership: its sockets have no file and end with it; only processes of the same user are let in.
//   What is still connected is cut off.
// Threads: one inner thread, which calls on_strike and on_broken; every method may be called from
//   any other thread.
// Time: a struck statement waits for go_on(), without limit.
// Limitations: nothing is encrypted; the server must take connections that are not.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/postgres_proxy/strikes.h"

namespace harness::postgres_proxy {

struct Listener {
  // A statement's moment has come; go_on() follows when what the scenario does then is done.
  std::function<void(std::size_t event, int door)> on_strike;
  std::function<void(const std::string& error)> on_broken;  // the proxy has ended by itself
};

class Proxy {
 public:
  // dsn: of a database of the server, which must answer.
  static std::expected<std::unique_ptr<Proxy>, std::string> start(const std::string& dsn,
                                                                  std::vector<Strike> strikes,
                                                                  Listener listener);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // Requires: 1 <= door <= 65535, and not opened yet. Returns: the DSN of the same database through
  // that door.
  std::expected<std::string, std::string> open(int door);
  // What comes of the struck statement comes now. Requires: this event's strike was told.
  void go_on(std::size_t event);
  // All ghosts so far are done: returns when the server has answered. An error if one can't be.
  std::expected<void, std::string> land(std::chrono::milliseconds at_most);

 private:
  class Loop;
  explicit Proxy(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace harness::postgres_proxy
