// A client's connection and the server's that belongs to it: the I/O around a Conversation.
//
// Memory: reads nothing more while this much waits to be written to the other side; beside it only
// what the conversation holds, at most a statement and its answer.
#pragma once

#include <poll.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/postgres_proxy/conversation.h"
#include "harness/postgres_proxy/descriptor.h"

namespace harness::postgres_proxy {

class Link {
 public:
  using Struck = std::function<void(std::size_t event, int door)>;
  Link(int door, Descriptor client, Descriptor server, Strikes& strikes, const Struck& on_strike);

  // What to wait for; an fd of -1 for nothing.
  pollfd of_client() const;
  pollfd of_server() const;
  // What came of that wait.
  void client_is(short events);
  void server_is(short events);

  std::optional<std::size_t> struck() const { return struck_; }
  void go_on();
  bool ghost() const { return talk_.ghost(); }
  bool landing() const { return talk_.outlives_client() && !ghost(); }
  void land();
  // Its session has ended before the ghost was done.
  bool lost_its_ghost() const { return had_ghost_ && over() && !landed_; }
  bool over() const { return !client_.descriptor.open() && !server_.descriptor.open(); }

 private:
  struct Side {
    Descriptor descriptor;
    std::string out;       // bytes to be written
    bool closing = false;  // when they are
  };
  static pollfd wait_for(const Side& side, bool reads);
  static bool read(const Side& side, std::string& bytes);
  static void write(Side& side);
  void obey(Orders& orders);

  int door_;
  Side client_;
  Side server_;
  Conversation talk_;
  const Struck& on_strike_;
  std::optional<std::size_t> struck_;
  bool had_ghost_ = false;
  bool landed_ = false;
};

}  // namespace harness::postgres_proxy
