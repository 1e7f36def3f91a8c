// What the provider says to one request, and what it made of it.
#pragma once

#include <cstdint>

#include "core/time.h"

namespace fake_mail {

enum class Outcome : std::uint8_t { delivered, repeat, refused, throttled, unavailable };

// The statuses that the provider gives of its own accord; a rule may name any.
namespace status {
constexpr int none = 0, ok = 200, malformed = 400, conflict = 409, refused = 422, throttled = 429,
              unavailable = 503;
}  // namespace status

// Sent with a 429 that names no time of its own.
constexpr core::Duration retry_after_min = std::chrono::seconds(1);

struct Answer {
  int status = status::none;  // none: never answered
  Outcome outcome = Outcome::refused;
  core::Duration latency{0};      // from arrival to answer
  core::Duration retry_after{0};  // 0: no such header
  bool withheld = false;          // not answered before the next thaw
  bool operator==(const Answer&) const = default;
};

}  // namespace fake_mail
