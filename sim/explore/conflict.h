// Which two moves, one after the other, could end otherwise the other way round.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/world/move.h"

namespace sim {

// They are of different actors, touch the same thing, and one of them changes it. Asked of what a
// move says, not of the rows that it met, so it may say yes too often. Of clocks, outages and
// crashes it says no: they are in conflict with everything.
bool in_conflict(const Move& first, const Move& second);

// Two moves of a schedule whose order is to be reversed: `first` is held back until `second` is
// made.
struct Reversal {
  std::int64_t at = 0;  // moves before `first`
  Move first;
  Move second;
};

// The pair that ends with the earliest move, from `from` on, that has something in conflict before
// it; the nearest before. Nothing: there is none.
std::optional<Reversal> reversal_in(const std::vector<Move>& moves, std::size_t from);

}  // namespace sim
