// The Retry-After header (RFC 9110 10.2.3): delay-seconds or an HTTP date in any of its three
// forms.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/time.h"

namespace core {

// Requires: `now_s`, seconds since 1970 UTC by the wall clock of whoever got the answer.
// Returns: how long to wait, from 0; nothing when the value is not valid ("-5", "+5", "1.5",
// "120junk", "", a nonsense date, more than `most`): the caller then uses its own backoff. White
// space around the value is allowed. A date in the past is a valid 0. Two headers: the caller
// passes neither.
std::optional<Duration> parse_retry_after(std::string_view value, std::int64_t now_s,
                                          Duration most);

}  // namespace core
