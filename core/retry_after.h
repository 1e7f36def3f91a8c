// The Retry-After header (RFC 9110 10.2.3): delay-seconds or an HTTP date in any of its three
// forms.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/time.h"

namespace core {

// Requires: `now_s`, seconds since 1970 UTC by the clock of whoever gave the answer (its Date
// header), else of whoever got it. Returns: how long to wait, from 0 to `most`; nothing when the
// value is not valid ("-5", "+5", "1.5", "120junk", "", 10^20, a nonsense date): the caller then
// uses its own backoff. White space around the value is allowed. A date in the past is a valid 0.
std::optional<Duration> parse_retry_after(std::string_view value, std::int64_t now_s,
                                          Duration most);

// A Date header (RFC 9110 6.6.1), in seconds since 1970. now_s: to complete a year of two digits.
// Nothing: it is none.
std::optional<std::int64_t> parse_http_date(std::string_view value, std::int64_t now_s);

}  // namespace core
