// The control API (control_server.h) as calls.
//
// Threads: every method from any thread; each call has a connection of its own, so a long wait
// holds up no other. Errors: every method throws ControlError when the server can't be reached or
// refuses; it then says what was asked and why it failed. A refused call has changed nothing.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/time.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/counters.h"

namespace fake_mail {

class ControlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WaitResult {
  bool reached = false;
  std::int64_t accepted = 0;  // deliveries so far
  std::string owner;          // who made the delivery that was waited for
};

class ControlClient {
 public:
  // The server on 127.0.0.1.
  explicit ControlClient(int control_port) : port_(control_port) {}

  void set_behaviour(const Behaviour& behaviour);
  void set_trigger(std::int64_t accept, bool freeze);
  // Blocks until delivery number `accept`, for `timeout` at most.
  WaitResult wait_for_accepts(std::int64_t accept, core::Duration timeout);
  void freeze();
  // `drop_owners`: processes that were killed; nothing of theirs is accepted any more.
  void thaw(const std::vector<std::string>& drop_owners = {});
  void outage(core::Duration lasts);
  void advance_clock(core::Duration by);
  Counters counters();
  // Writes the CSV of ledger.h. Requires: an absolute path. Blocks mail traffic while it writes.
  void write_ledger(const std::string& path);

 private:
  int port_;
};

}  // namespace fake_mail
