#include "sim/trace/crc32.h"

#include <array>

namespace sim {
namespace {

constexpr std::array<std::uint32_t, 256> table = [] {
  std::array<std::uint32_t, 256> entries{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t entry = i;
    for (int bit = 0; bit < 8; ++bit) entry = (entry >> 1U) ^ ((entry & 1U) * 0xedb88320U);
    entries[i] = entry;
  }
  return entries;
}();

}  // namespace

void Crc32::add(std::string_view text) {
  for (const char c : text)
    state_ = (state_ >> 8U) ^ table[(state_ ^ static_cast<unsigned char>(c)) & 0xffU];
}

std::string Crc32::text() const {
  std::string out(8, '0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = "0123456789abcdef"[(value() >> (28 - 4 * i)) & 0xfU];
  return out;
}

}  // namespace sim
