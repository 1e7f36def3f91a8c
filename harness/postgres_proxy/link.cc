#include "harness/postgres_proxy/link.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace harness::postgres_proxy {
namespace {

constexpr std::size_t waiting_bytes_max = 256 * 1024;
constexpr std::size_t read_bytes = 64 * 1024;

bool passes(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

Link::Link(int door, Descriptor client, Descriptor server, Strikes& strikes,
           const Struck& on_strike)
    : door_(door), talk_(strikes), on_strike_(on_strike) {
  client_.descriptor = std::move(client);
  server_.descriptor = std::move(server);
}

pollfd Link::wait_for(const Side& side, bool reads) {
  const auto events = static_cast<short>((reads ? POLLIN : 0) | (side.out.empty() ? 0 : POLLOUT));
  // poll() tells of a hang-up whether it is asked or not.
  return {events == 0 ? -1 : side.descriptor.number(), events, 0};
}

pollfd Link::of_client() const {
  return wait_for(client_, talk_.hears_client() && server_.out.size() < waiting_bytes_max);
}

pollfd Link::of_server() const {
  return wait_for(server_, client_.out.size() < waiting_bytes_max);
}

// Returns: false at the end.
bool Link::read(const Side& side, std::string& bytes) {
  std::array<char, read_bytes> buffer;
  const ssize_t size = recv(side.descriptor.number(), buffer.data(), buffer.size(), 0);
  if (size > 0) bytes.assign(buffer.data(), static_cast<std::size_t>(size));
  return size > 0 || (size < 0 && passes(errno));
}

// Bytes for a side that has closed are dropped.
void Link::write(Side& side) {
  while (side.descriptor.open() && !side.out.empty()) {
    const ssize_t size =
        send(side.descriptor.number(), side.out.data(), side.out.size(), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && passes(errno)) return;
    side.out.erase(0, size < 0 ? std::string::npos : static_cast<std::size_t>(size));
  }
  if (!side.descriptor.open()) side.out.clear();
  if (side.closing) side.descriptor.close();
}

void Link::client_is(short events) {
  if (!client_.descriptor.open()) return;
  Orders orders;
  std::string bytes;
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0 && talk_.hears_client()) {
    if (!read(client_, bytes)) talk_.client_left(orders);
    if (!bytes.empty()) talk_.client_says(bytes, orders);
  }
  obey(orders);
}

void Link::server_is(short events) {
  if (!server_.descriptor.open()) return;
  Orders orders;
  std::string bytes;
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) {
    if (!read(server_, bytes)) {
      server_.closing = true;
      server_.out.clear();
      talk_.server_left(orders);
    }
    if (!bytes.empty()) talk_.server_says(bytes, orders);
  }
  obey(orders);
}

void Link::go_on() {
  Orders orders;
  struck_.reset();
  talk_.go_on(orders);
  obey(orders);
}

void Link::land() {
  Orders orders;
  talk_.land(orders);
  obey(orders);
}

void Link::obey(Orders& orders) {
  client_.out += orders.to_client;
  server_.out += orders.to_server;
  client_.closing = client_.closing || orders.close_client;
  server_.closing = server_.closing || orders.close_server;
  had_ghost_ = had_ghost_ || talk_.ghost();
  landed_ = landed_ || orders.landed;
  write(client_);
  write(server_);
  if (!orders.struck) return;
  struck_ = orders.struck;
  on_strike_(*orders.struck, door_);
}

}  // namespace harness::postgres_proxy
