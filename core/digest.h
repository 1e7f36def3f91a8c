// What a state is, reduced to 64 bits, so that a search can tell whether it has been there before.
// Two states with the same digest behave alike from now on, save for what was left out on purpose:
// counters, seeds, and the past of clocks.
//
// Tokens are random, so they stand as what they are good for (Names): two searches that differ only
// in their random numbers meet the same digests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/rng.h"
#include "core/time.h"

namespace core {

class Digest {
 public:
  // ahead: what can't matter in a small and short world is left out too, so that a search meets
  // fewer of them. Whoever leaves something out says how small.
  enum class Detail : std::uint8_t { all, ahead };
  // A token's name: the same for tokens that open the same doors. Unknown tokens open none: 0.
  using Names = std::vector<std::pair<Token, std::uint64_t>>;

  Digest(Instant now, const Names& names, Detail detail = Detail::all)
      : now_(now), names_(&names), detail_(detail) {}

  void add(std::uint64_t value) { hash_ = mix(hash_ ^ value) + 0x9e3779b97f4a7c15u; }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(int value) { add(static_cast<std::int64_t>(value)); }
  void add(bool value) { add(static_cast<std::uint64_t>(value)); }
  void add(MemberId member) { add(number(member)); }
  // Over once it has come: how long ago makes no difference.
  void due(Instant at) { add(at <= now_ ? std::int64_t{-1} : (at - now_).count()); }
  // Its age counts, up to `most`.
  void age(Instant at, Duration most) { add(std::min(now_ - at, most).count()); }
  void token(Token token) {
    for (const auto& [known, name] : *names_) {
      if (known == token) return add(name);
    }
    add(std::uint64_t{0});
  }

  Instant now() const { return now_; }
  bool only_ahead() const { return detail_ == Detail::ahead; }
  std::uint64_t value() const { return hash_; }

 private:
  Instant now_;
  const Names* names_;
  Detail detail_;
  std::uint64_t hash_ = 0;
};

}  // namespace core
