#include "core/http/answer_bytes.h"

#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace core::http {
namespace {

template <typename Call>
ssize_t uninterrupted(Call call) {
  ssize_t done = 0;
  do {
    done = call();
  } while (done < 0 && errno == EINTR);
  return done;
}

bool comes(int socket, short events, Duration within) {
  pollfd waited{.fd = socket, .events = events, .revents = 0};
  return uninterrupted([&] { return poll(&waited, 1, static_cast<int>(within / 1ms)); }) > 0;
}

// Repeats a TLS call for as long as it lacks bytes of its own and they come in time.
template <typename Call, typename Wait>
ssize_t with_tls(SSL* tls, Call call, Wait wait) {
  for (;;) {
    const int done = call();
    if (done > 0) return done;
    const int error = SSL_get_error(tls, done);
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    if (error == SSL_ERROR_WANT_READ ? wait(POLLIN)
                                     : error == SSL_ERROR_WANT_WRITE && wait(POLLOUT))
      continue;
    return -1;
  }
}

int part(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
}

}  // namespace

AnswerBytes::AnswerBytes(int socket, SSL* tls, Duration timeout, Allowance& allowance)
    : socket_(socket), tls_(tls), timeout_(timeout), allowance_(allowance) {
  // Else a record that carries no bytes of the answer would be waited out inside SSL_read, past
  // every time-out.
  if (tls_ != nullptr) SSL_clear_mode(tls_, SSL_MODE_AUTO_RETRY);
}

bool has_something_to_read(int socket, SSL* tls) {
  return (tls != nullptr && SSL_pending(tls) > 0) || comes(socket, POLLIN, 0s);
}

bool AnswerBytes::is_readable() const {
  return has_surplus() || (tls_ != nullptr && SSL_pending(tls_) > 0) ||
         comes(socket_, POLLIN, timeout_);
}

bool AnswerBytes::is_writable() const {
  return comes(socket_, POLLOUT, timeout_);
}

ssize_t AnswerBytes::fill() {
  if (!is_readable()) return -1;
  if (tls_ == nullptr) {
    return uninterrupted([&] { return recv(socket_, buffer_.data(), buffer_.size(), 0); });
  }
  return with_tls(
      tls_, [&] { return SSL_read(tls_, buffer_.data(), part(buffer_.size())); },
      [&](short events) { return comes(socket_, events, timeout_); });
}

ssize_t AnswerBytes::read(char* to, std::size_t size) {
  if (begin_ == end_) {
    const ssize_t filled = fill();
    if (filled <= 0) return filled;
    begin_ = 0;
    end_ = static_cast<std::size_t>(filled);
  }
  const std::size_t count = std::min({size, end_ - begin_, allowance_.bytes});
  const char* const from = buffer_.data() + begin_;
  const auto lines = static_cast<std::size_t>(std::count(from, from + count, '\n'));
  if (count == 0 || lines > allowance_.lines) return -1;
  std::memcpy(to, from, count);
  begin_ += count;
  allowance_.bytes -= count;
  allowance_.lines -= lines;
  return static_cast<ssize_t>(count);
}

ssize_t AnswerBytes::write(const char* from, std::size_t size) {
  if (!is_writable()) return -1;
  if (tls_ == nullptr) {
    return uninterrupted([&] { return send(socket_, from, size, MSG_NOSIGNAL); });
  }
  return with_tls(
      tls_, [&] { return SSL_write(tls_, from, part(size)); },
      [&](short events) { return comes(socket_, events, timeout_); });
}

}  // namespace core::http
