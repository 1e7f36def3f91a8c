#include "harness/postgres_proxy/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>

namespace harness::postgres_proxy {
namespace {

std::unexpected<std::string> failed(const std::string& what) {
  return std::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
}

struct UnixAddress {
  sockaddr_un bytes{};
  socklen_t length = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

// As libpq makes it of host and port.
std::optional<UnixAddress> unix_address(const Address& address) {
  const std::string path = fmt::format("{}/.s.PGSQL.{}", address.host, address.port);
  UnixAddress out;
  out.bytes.sun_family = AF_UNIX;
  if (path.size() >= sizeof out.bytes.sun_path) return std::nullopt;
  path.copy(out.bytes.sun_path, path.size());
  if (path.starts_with('@')) out.bytes.sun_path[0] = '\0';
  out.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  return out;
}

std::expected<Descriptor, std::string> connect_tcp(const Address& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
      error != 0)
    return std::unexpected(fmt::format("{}: {}", address.host, gai_strerror(error)));
  Descriptor server(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int connected = connect(server.number(), found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  if (connected != 0) return failed(address.host);
  const int on = 1;
  setsockopt(server.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return server;
}

std::expected<Descriptor, std::string> connect_unix(const Address& address) {
  const auto target = unix_address(address);
  if (!target) return std::unexpected(address.host + ": too long for a Unix socket");
  Descriptor server(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(server.number(), target->get(), target->length) != 0) return failed(address.host);
  return server;
}

}  // namespace

void Descriptor::close() {
  if (open()) ::close(std::exchange(number_, -1));
}

std::expected<Descriptor, std::string> listen_at(const Address& address) {
  const auto own = unix_address(address);
  if (!own) return std::unexpected(address.host + ": too long for a Unix socket");
  Descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (bind(listener.number(), own->get(), own->length) != 0 ||
      listen(listener.number(), SOMAXCONN) != 0)
    return failed("a socket for the sender's connections");
  return listener;
}

Descriptor accept_own(const Descriptor& listener) {
  Descriptor client(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  ucred who{};
  socklen_t length = sizeof who;
  if (!client.open() || getsockopt(client.number(), SOL_SOCKET, SO_PEERCRED, &who, &length) != 0 ||
      who.uid != geteuid())
    return {};
  return client;
}

std::expected<Descriptor, std::string> connect_to(const Address& address) {
  const bool local = address.host.starts_with('/') || address.host.starts_with('@');
  auto server = local ? connect_unix(address) : connect_tcp(address);
  if (server) fcntl(server->number(), F_SETFL, O_NONBLOCK);
  return server;
}

}  // namespace harness::postgres_proxy
