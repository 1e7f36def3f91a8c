// Seeded randomness: splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, 2014). A value, copied with whoever holds it; the same seed gives the same stream on
// every platform.
#pragma once

#include <cstdint>

namespace core {

constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    const std::uint64_t value = mix(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return value;
  }
  bool operator==(const Rng&) const = default;

 private:
  std::uint64_t state_;
};

}  // namespace core
