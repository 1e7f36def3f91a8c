// Chance as a pure function: the same (seed, member, try) draws the same number, whatever else
// happened and in whatever order. Requests of many lanes race, so a generator with state would not
// repeat.
#pragma once

#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

namespace fake_mail {

// The splitmix64 finaliser. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", 2014.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// FNV-1a, then mixed.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return mix(hash);
}

// The same as that of its decimal text.
inline std::uint64_t hash_number(std::int64_t number) {
  char text[std::numeric_limits<std::int64_t>::digits10 + 2];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), number);
  return hash_text({text, end});
}

// What a draw is for; two draws for one request must not be the same number.
enum class DrawFor : std::uint64_t { fault = 1, latency = 2 };

// Returns 0..999.
constexpr int draw_permille(std::uint64_t seed, DrawFor purpose, std::uint64_t member_hash,
                            std::int64_t try_number) {
  const std::uint64_t drawn = mix(mix(mix(seed) ^ static_cast<std::uint64_t>(purpose)) ^
                                  member_hash ^ mix(static_cast<std::uint64_t>(try_number)));
  return static_cast<int>(drawn % 1000U);
}

}  // namespace fake_mail
