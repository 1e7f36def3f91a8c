#include "core/ids.h"

namespace core {

std::string to_string(Token token) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) text += '-';
    const std::uint64_t half = nibble < 16 ? token.high : token.low;
    text += digits[(half >> (60 - 4 * (nibble % 16))) & 0xf];
  }
  return text;
}

bool parse_token(std::string_view text, Token& token) {
  Token parsed;
  int nibbles = 0;
  for (const char c : text) {
    if (c == '-') continue;
    int value = 0;
    if (c >= '0' && c <= '9') {
      value = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      value = c - 'a' + 10;
    } else {
      return false;
    }
    if (nibbles == 32) return false;
    std::uint64_t& half = nibbles < 16 ? parsed.high : parsed.low;
    half = (half << 4) | static_cast<std::uint64_t>(value);
    ++nibbles;
  }
  if (nibbles != 32) return false;
  token = parsed;
  return true;
}

std::string idempotency_key(std::string_view campaign, MemberId member) {
  std::string key(campaign);
  key += ':';
  key += std::to_string(number(member));
  return key;
}

}  // namespace core
