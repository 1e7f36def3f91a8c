#include "core/http/testing/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace core::http::testing {
namespace {

// Returns: a bound socket of 127.0.0.1 and its port.
std::pair<int, int> bound() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket, generic, length) != 0 || getsockname(socket, generic, &length) != 0) {
    throw std::runtime_error("no port on 127.0.0.1");
  }
  return {socket, ntohs(address.sin_port)};
}

}  // namespace

std::string Connection::read_request() {
  char buffer[4096];
  for (;;) {
    const std::size_t header_end = rest_.find("\r\n\r\n");
    if (header_end != std::string::npos) {
      const std::size_t field = rest_.find("Content-Length: ");
      const std::size_t body =
          field < header_end ? std::strtoul(rest_.c_str() + field + 16, nullptr, 10) : 0;
      if (rest_.size() >= header_end + 4 + body) {
        std::string request = rest_.substr(0, header_end + 4 + body);
        rest_.erase(0, request.size());
        return request;
      }
    }
    const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
    if (count <= 0) return "";
    rest_.append(buffer, static_cast<std::size_t>(count));
  }
}

bool Connection::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void Connection::end_writing() const {
  shutdown(socket_, SHUT_WR);
}

void Connection::wait_until_closed() const {
  char buffer[4096];
  while (recv(socket_, buffer, sizeof buffer, 0) > 0) {
  }
}

RawServer::RawServer(std::function<void(Connection&)> serve) {
  std::tie(listening_, port_) = bound();
  listen(listening_, 16);
  thread_ = std::thread([this, serve = std::move(serve)] {
    for (;;) {
      const int socket = accept(listening_, nullptr, nullptr);
      if (socket < 0 || ending_) {
        if (socket >= 0) close(socket);
        return;
      }
      ++connections_;
      current_ = socket;
      Connection connection(socket);
      serve(connection);
      current_ = -1;
      close(socket);
      ++closed_;
      closed_.notify_all();
    }
  });
}

void RawServer::wait_until_closed(int connections) const {
  for (int closed = closed_; closed < connections; closed = closed_) closed_.wait(closed);
}

RawServer::~RawServer() {
  ending_ = true;
  shutdown(listening_, SHUT_RDWR);
  if (const int socket = current_; socket >= 0) shutdown(socket, SHUT_RDWR);
  thread_.join();
  close(listening_);
}

int RawServer::free_port() {
  const auto [socket, port] = bound();
  close(socket);
  return port;
}

}  // namespace core::http::testing
