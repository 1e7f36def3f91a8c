// What may never happen, and what must. Each is watched at the steps that can break it
// (world_watch.cc); liveness at the end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sim {

enum class Oracle : std::uint8_t {
  S1,
  S2,
  S3,
  S4,
  S5,
  S6,
  S7,
  S8,
  S9,
  S10,
  S11,
  S12,
  S13,
  S14,
  S15,
  S16,
  S17,
  S18,
  S19,
  liveness,
  assertion
};
constexpr std::size_t oracle_count = 21;

struct OracleText {
  std::string_view name;
  std::string_view claim;
};
const OracleText& text_of(Oracle oracle);
std::optional<Oracle> oracle_named(std::string_view name);

struct Verdict {
  Oracle oracle{};
  std::string what;  // who and how, in one line
  std::int64_t step = 0;
};

}  // namespace sim
