#include "core/one_line.h"

#include <cstdint>

namespace core {

std::string on_one_line(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      line += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else {
      line += "\\x";
      line += digits[byte >> 4];
      line += digits[byte & 0xf];
    }
  }
  return line;
}

}  // namespace core
