#include "core/address.h"

#include <cstdint>

namespace core {
namespace {

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[i]);
    std::size_t more = 0;
    std::uint32_t value = lead;
    if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      value = lead & 0x07u;
    } else if (lead >= 0xe0) {
      more = 2;
      value = lead & 0x0fu;
    } else if (lead >= 0xc2) {
      more = 1;
      value = lead & 0x1fu;
    } else if (lead >= 0x80) {
      return false;
    }
    if (lead > 0xf4 || i + more >= text.size()) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<std::uint8_t>(text[i + k]);
      if ((next & 0xc0u) != 0x80u) return false;
      value = (value << 6) | (next & 0x3fu);
    }
    if ((more == 2 && value < 0x800) || (more == 3 && (value < 0x10000 || value > 0x10ffff)))
      return false;
    if (value >= 0xd800 && value <= 0xdfff) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace

bool is_sendable_address(std::string_view address) {
  if (address.empty() || address.size() > 320) return false;
  for (const char c : address) {
    if (static_cast<std::uint8_t>(c) < 0x20 || c == 0x7f) return false;
  }
  const std::size_t at = address.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == address.size()) return false;
  return is_utf8(address);
}

}  // namespace core
