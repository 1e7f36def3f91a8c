// File descriptors that close themselves, and the sockets that the proxy needs.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace harness::postgres_proxy {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close();
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// Where a server listens: a folder for its Unix socket, else a numeric address.
struct Address {
  std::string host;
  std::string port;
};

// All sockets are closed on exec and, once they are there, don't block. Errors: one line.

// At the socket that libpq finds for host=`host` port=`port`; `host` begins with @: there is no
// file.
std::expected<Descriptor, std::string> listen_at(const Address& address);
// Requires: somebody is there. Returns: nothing for another user's process, and for one that has
// left.
Descriptor accept_own(const Descriptor& listener);
// Blocks while it connects: to this machine, no time to speak of.
std::expected<Descriptor, std::string> connect_to(const Address& address);

}  // namespace harness::postgres_proxy
