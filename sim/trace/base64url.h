// base64url without padding (RFC 4648, section 5): a text as one word that shells, mails and URLs
// leave alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sim {

std::string to_base64url(std::string_view bytes);
// Nothing: another character, a length that no text has, or bits beyond the end that aren't zero.
std::optional<std::string> from_base64url(std::string_view word);

}  // namespace sim
