// The bytes of one exchange with the provider, and no more of them than an answer may have:
// cpp-httplib 0.11 reads a line until its newline and keeps every header, so that a provider that
// ends neither takes what memory the network carries in a request's time.
//
// Ownership: the socket, the TLS session on it and the allowance are the caller's, and outlive it.
// Threads: one. Another may shut the socket down, which ends a wait.
// Time:    each call waits for at most the time-out.
// Errors:  -1, also once the allowance is spent; the connection is of no use then.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>

#include "core/time.h"

using SSL = struct ssl_st;

namespace core::http {

// What may still be read of an answer; at first, of its head. Servers and proxies accept no head
// beyond 8 to 16 KiB and a hundred fields themselves.
struct Allowance {
  std::size_t bytes = 16 * 1024;
  std::size_t lines = 100;
};

// Without waiting; the end of the connection counts. tls: null for plain text.
bool has_something_to_read(int socket, SSL* tls);

class AnswerBytes {
 public:
  // The allowance may be changed between any two reads.
  AnswerBytes(int socket, SSL* tls, Duration timeout, Allowance& allowance);

  int socket() const { return socket_; }
  // Something was received that has not been read.
  bool has_surplus() const { return begin_ < end_; }
  bool is_readable() const;
  bool is_writable() const;
  ssize_t read(char* to, std::size_t size);  // 0: the other side has ended
  ssize_t write(const char* from, std::size_t size);

 private:
  ssize_t fill();

  int socket_;
  SSL* tls_;
  Duration timeout_;
  Allowance& allowance_;
  // httplib asks for a head one byte at a time.
  std::array<char, 4096> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace core::http
