// A fuzz target: NAME_fuzz.cc defines this function, which takes any bytes and aborts (ASSERT)
// where a claim about them is broken. `./dev fuzz` has libFuzzer look for such bytes; in every
// other build a test calls it with the lines of NAME_fuzz.seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Returns: 0. Deterministic: what it does depends on the bytes alone.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace core::testing {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace core::testing
