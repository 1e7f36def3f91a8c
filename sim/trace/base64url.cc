#include "sim/trace/base64url.h"

#include <cstdint>

namespace sim {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string to_base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : bytes) {
    bits = (bits << 8U) | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += digits[(bits >> (held - 6)) & 63U];
  }
  if (held > 0) out += digits[(bits << (6 - held)) & 63U];
  return out;
}

std::optional<std::string> from_base64url(std::string_view word) {
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : word) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>((bits >> held) & 0xffU);
  }
  const std::uint32_t beyond = bits & ((1U << held) - 1U);
  if (held >= 6 || beyond != 0) return std::nullopt;
  return out;
}

}  // namespace sim
