#include "core/json_text.h"

#include <cstdint>

namespace core {

std::string json_string(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string quoted;
  quoted.reserve(text.size() + 2);
  quoted += '"';
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20) {
      quoted += "\\u00";
      quoted += digits[byte >> 4];
      quoted += digits[byte & 0xf];
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

}  // namespace core
