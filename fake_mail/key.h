// What the provider remembers of one idempotency key: its last delivery, in 16 bytes.
//
// Ownership: a value; as made, no delivery is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "fake_mail/clock.h"

namespace fake_mail {

enum class KeyState {
  unseen,         // or forgotten: the window has passed
  delivered,      // with this payload, and answered
  other_payload,  // delivered with another payload
  in_progress,    // delivered with this payload, not answered yet
};

class Key {
 public:
  Key() = default;
  // In progress until `answered`; ProviderTime::max(): until `finish`. The payload is kept as 32
  // bits of its hash: a changed payload goes unnoticed once in 4 billion.
  Key(std::uint64_t payload, ProviderTime delivered, ProviderTime answered)
      : delivered_(delivered),
        payload_(short_hash(payload)),
        answer_us_(answer_after(delivered, answered)) {}

  // The window is half open: at exactly delivery + window the key is forgotten.
  KeyState state(std::uint64_t payload, ProviderTime now, core::Duration window) const {
    if (delivered_ == ProviderTime::min()) return KeyState::unseen;
    if (now - delivered_ >= window) return KeyState::unseen;
    if (payload_ != short_hash(payload)) return KeyState::other_payload;
    const bool answered =
        answer_us_ != withheld_us && now >= delivered_ + core::Duration(answer_us_);
    return answered ? KeyState::delivered : KeyState::in_progress;
  }

  // The withheld answer is let go.
  void finish() { answer_us_ = 0; }

 private:
  static constexpr std::uint32_t withheld_us = std::numeric_limits<std::uint32_t>::max();

  static std::uint32_t short_hash(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
  }
  static std::uint32_t answer_after(ProviderTime delivered, ProviderTime answered) {
    if (answered == ProviderTime::max()) return withheld_us;
    const core::Duration::rep us = (answered - delivered).count();
    return static_cast<std::uint32_t>(std::clamp<core::Duration::rep>(us, 0, withheld_us - 1));
  }

  ProviderTime delivered_ = ProviderTime::min();  // min: never
  std::uint32_t payload_ = 0;
  std::uint32_t answer_us_ = 0;  // after delivery
};
static_assert(sizeof(Key) == 16);

}  // namespace fake_mail
