// How a sender's memory grows with its audience, as a line for the reader. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/result.h"

namespace harness {

// For each sender with several sizes: a note on its largest, from its smallest. floor_bytes: what a
// program weighs that does nothing (process.h); 0: not known.
void note_memory_growth(std::vector<reports::SenderResult>& results, std::int64_t floor_bytes);

}  // namespace harness
