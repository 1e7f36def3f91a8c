// CRC-32 of a growing text (ISO-HDLC, as in zlib and PNG). It finds every damage of up to 32 bits
// in a row; it keeps nobody from editing on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sim {

class Crc32 {
 public:
  void add(std::string_view text);
  std::uint32_t value() const { return ~state_; }
  std::string text() const;  // eight lower-case hexadecimal digits

 private:
  std::uint32_t state_ = 0xffffffffU;
};

}  // namespace sim
