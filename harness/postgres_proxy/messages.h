// PostgreSQL's frontend/backend protocol 3.0, as far as whoever stands in between must read it.
// Source: postgresql.org/docs/17/protocol-message-formats.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace harness::postgres_proxy {

// Longer ones are taken for no message at all: a record of 10,000 members has less than one MiB.
constexpr std::size_t message_bytes_max = std::size_t{64} << 20;

// Codes of messages before the start-up is done, which bear no type.
constexpr std::uint32_t ssl_request = 80877103;
constexpr std::uint32_t gss_request = 80877104;
constexpr std::uint32_t cancel_request = 80877102;

// Bytes of one direction, given as they come, taken as whole messages.
class Messages {
 public:
  void add(std::string_view bytes) {
    bytes_.erase(0, std::exchange(taken_, 0));
    bytes_ += bytes;
  }
  // The next one with its type and length, or, before the start-up is done, its length only.
  // Nothing: it has not come whole yet, or what comes is no message (broken()).
  std::optional<std::string> next(bool typed);
  bool broken() const { return broken_; }

 private:
  std::string bytes_;
  std::size_t taken_ = 0;  // of bytes_
  bool broken_ = false;
};

// Requires, of these two: a whole message of the kind.
std::uint32_t startup_code(std::string_view message);
// The statement that a Bind names; "" for the unnamed one, and for one that can't be read.
std::string_view bound_statement(std::string_view message);

constexpr std::string_view no_encryption = "N";
std::string sync_message();
// ErrorResponse: severity ERROR.
std::string error_message(std::string_view sqlstate, std::string_view text);

}  // namespace harness::postgres_proxy
