// Whether an address may be put into a request at all. Not whether it exists: that is the
// provider's to say.
#pragma once

#include <string_view>

namespace core {

// Returns: false for an empty text, control characters (CR LF: header injection), text that is not
// UTF-8, no @ with something on both sides, more than 320 bytes (RFC 3696 errata 1690: 64 + 1 +
// 255). Quoted local parts, non-ASCII, IDN and right-to-left text pass and are sent byte by byte as
// they are.
bool is_sendable_address(std::string_view address);

}  // namespace core
