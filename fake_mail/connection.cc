#include "fake_mail/connection.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace fake_mail {
namespace {

using NameOf = int (*)(int, sockaddr*, socklen_t*);

int port_of(int fd, NameOf name_of) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (name_of(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return -1;
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : -1;
}

std::vector<int> open_descriptors() {
  std::vector<int> fds;
  std::error_code ignored;  // a descriptor may vanish meanwhile
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string name = entry.path().filename();
    int fd = -1;
    if (std::from_chars(name.data(), name.data() + name.size(), fd).ec == std::errc{})
      fds.push_back(fd);
  }
  return fds;
}

}  // namespace

int find_connection(int local_port, int remote_port) {
  for (const int fd : open_descriptors())
    if (port_of(fd, ::getpeername) == remote_port && port_of(fd, ::getsockname) == local_port)
      return fd;
  return -1;
}

void wait_until_closed(int connection, int stop_fd) {
  pollfd either[] = {{.fd = connection, .events = POLLRDHUP, .revents = 0},
                     {.fd = stop_fd, .events = POLLIN, .revents = 0}};
  while (::poll(either, 2, -1) <= 0) {
  }
}

void cut(int connection) {
  ::shutdown(connection, SHUT_RDWR);
}

void cut_all(int local_port) {
  for (const int fd : open_descriptors())
    if (port_of(fd, ::getpeername) > 0 && port_of(fd, ::getsockname) == local_port) cut(fd);
}

}  // namespace fake_mail
