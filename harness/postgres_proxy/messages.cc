#include "harness/postgres_proxy/messages.h"

namespace harness::postgres_proxy {
namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string with_length(char type, const std::string& body) {
  const auto length = static_cast<std::uint32_t>(body.size() + 4);
  std::string message(1, type);
  for (unsigned shift = 32; shift > 0; shift -= 8)
    message += static_cast<char>(static_cast<unsigned char>(length >> (shift - 8U)));
  return message + body;
}

}  // namespace

std::optional<std::string> Messages::next(bool typed) {
  const std::size_t head = typed ? 5 : 4;
  if (broken_ || bytes_.size() - taken_ < head) return std::nullopt;
  const std::size_t length = number_at(bytes_, taken_ + head - 4);
  const std::size_t least = typed ? 4 : 8;
  broken_ = length < least || length > message_bytes_max;
  const std::size_t whole = length + (typed ? 1 : 0);
  if (broken_ || bytes_.size() - taken_ < whole) return std::nullopt;
  std::string message = bytes_.substr(taken_, whole);
  taken_ += whole;
  return message;
}

std::uint32_t startup_code(std::string_view message) {
  return number_at(message, 4);
}

std::string_view bound_statement(std::string_view message) {
  const std::size_t portal_ends = message.find('\0', 5);
  if (portal_ends == std::string_view::npos) return {};
  const std::string_view rest = message.substr(portal_ends + 1);
  return rest.substr(0, rest.find('\0'));
}

std::string sync_message() {
  return with_length('S', "");
}

std::string error_message(std::string_view sqlstate, std::string_view text) {
  std::string body;
  const auto field = [&](char type, std::string_view value) {
    body += type;
    body += value;
    body += '\0';
  };
  field('S', "ERROR");
  field('V', "ERROR");
  field('C', sqlstate);
  field('M', text);
  body += '\0';
  return with_length('E', body);
}

}  // namespace harness::postgres_proxy
