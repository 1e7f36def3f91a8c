// One client's conversation with the server, as the proxy in between follows it: bytes in, what is
// to be done out. It counts the statements that strikes wait for and makes the strikes; what it
// does not know it passes on unchanged.
//
// A statement is what a client sends from the Bind that names it up to the next Sync: held until it
// is whole, so that a client that dies in the middle has not asked.
//
// Limitations: not unnamed statements, simple queries that EXECUTE, nor clients that use Flush in
// place of Sync: all pass uncounted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/postgres_proxy/messages.h"
#include "harness/postgres_proxy/strikes.h"

namespace harness::postgres_proxy {

// Appended to by each call. What is to be closed is closed when all bytes for it are out.
struct Orders {
  std::string to_server;
  std::string to_client;
  bool close_client = false;
  bool close_server = false;
  // This strike's moment: nothing more comes of its statement before go_on().
  std::optional<std::size_t> struck;
  bool landed = false;  // the ghost is done
};

class Conversation {
 public:
  explicit Conversation(Strikes& strikes) : strikes_(&strikes) {}

  // Requires: hears_client().
  void client_says(std::string_view bytes, Orders& orders);
  void client_left(Orders& orders);
  void server_says(std::string_view bytes, Orders& orders);
  void server_left(Orders& orders);

  void go_on(Orders& orders);  // Requires: struck, and not since.
  void land(Orders& orders);   // Requires: ghost().

  // Whether what the client sends, and that it leaves, is of interest now.
  bool hears_client() const { return state_ == State::passing; }
  bool ghost() const { return state_ == State::ghost; }
  // A ghost that has not landed.
  bool outlives_client() const { return ghost() || state_ == State::landing; }

 private:
  enum class State {
    passing,    // everything, but for a statement that may be struck and is not whole
    answering,  // the struck statement is at the server: its answer is kept
    struck,     // until go_on()
    refusing,   // the server answers a Sync in place of the statement
    ghost,      // until land()
    landing,    // the ghost is at the server
    over,
  };

  void take(const std::string& message, Orders& orders);
  void take_before_startup(const std::string& message, Orders& orders);
  void whole(Orders& orders);
  void pass(std::string_view message, Orders& orders);
  void hear(const std::string& message, Orders& orders);
  void strike(Orders& orders);
  void end(Orders& orders);

  Strikes* strikes_;
  State state_ = State::passing;
  bool started_ = false;
  Messages from_client_;
  Messages from_server_;
  std::int64_t due_ = 0;     // ReadyForQuery that the server still owes
  std::int64_t before_ = 0;  // of these, before that of the struck statement
  std::string held_;         // the statement's messages so far
  std::vector<std::string> bound_;
  const Strike* strike_ = nullptr;
  std::string answer_;
  bool server_left_ = false;
};

}  // namespace harness::postgres_proxy
