// The decision about one try: rules, key, faults by chance and latency. Pure: whoever remembers
// tries and keys (Provider, sim::ProviderModel) asks, and records what is decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fake_mail/answer.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/clock.h"
#include "fake_mail/key.h"

namespace fake_mail {

// As far as chance and rules look at it. A number and its decimal text are the same recipient.
class Recipient {
 public:
  explicit Recipient(std::string_view text);
  explicit Recipient(std::int64_t member);

  std::uint64_t hash() const { return hash_; }
  // An address is divisible by nothing but 1.
  bool divisible_by(std::int64_t divisor) const {
    return divisor == 1 || (member_ && *member_ % divisor == 0);
  }

 private:
  std::optional<std::int64_t> member_;  // nothing: no number
  std::uint64_t hash_;
};

// Requires: `try_number` counts the recipient's tries from 1; `key` is unseen when there is none.
// Returns: an answer that isn't withheld. Its outcome says whether the mail is delivered.
Answer decide(const Behaviour& behaviour, const Recipient& recipient, std::int64_t try_number,
              KeyState key);

// Until when the key of a delivery is in progress. A silent answer leaves nothing in progress: the
// provider is done, only the answer is lost.
ProviderTime answered_at(const Answer& answer, ProviderTime delivered);

}  // namespace fake_mail
