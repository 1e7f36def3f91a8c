// A JSON string literal of a UTF-8 text (RFC 8259 7): quotes, backslash and control characters
// escaped, everything else byte by byte as it is.
#pragma once

#include <string>
#include <string_view>

namespace core {

std::string json_string(std::string_view text);

}  // namespace core
