// What a sender's HTTP request says, read from its three places: path, header and body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fake_mail {

struct Mail {
  std::string recipient;  // member_id as text, else the address
  std::uint64_t payload =
      0;  // hash of the JSON value: the order of fields and white space don't count
};

// Returns: nothing when it is no JSON object or has neither a member_id (integer or text) nor a
// "to".
std::optional<Mail> read_mail(std::string_view body);

// The header's value, bare or as a quoted string.
// Source: draft-ietf-httpapi-idempotency-key-header-06, section 2.1; RFC 8941, section 3.3.3.
std::string read_key(std::string_view header);

// Returns: the first segment of a path that has at least two, else "".
std::string_view read_owner(std::string_view path);

}  // namespace fake_mail
