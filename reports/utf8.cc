#include "reports/utf8.h"

#include <array>

namespace reports {

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeastOf = {0, 0, 0x80, 0x800,
                                                0x10000};  // by length: less is overlong
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeastOf[bytes] || value > 0x10FFFF || surrogate) return {};
  return {value, bytes, true};
}

}  // namespace reports
