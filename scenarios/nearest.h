// The word a person most likely meant: used in every message that refuses a name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scenarios {

// Returns: the known word nearest to `word` (insertions, deletions, exchanges, swapped neighbours;
// upper case counts as lower), or nothing when even the nearest differs in more than half of its
// letters.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

// Returns: `did you mean "members"?`, or `known here: a, b, c` when nothing is near, cut to a
// line's length: `known here: a, b and 19 more`.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace scenarios
