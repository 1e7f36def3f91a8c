// How a sender's memory grows with its audience, as a line for the reader. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/result.h"

namespace harness {

// For each sender with several sizes: a note on its largest, from its smallest. what: "peak RSS".
// floor_bytes: what a program weighs that does nothing (process.h); 0: not known.
void note_memory_growth(std::vector<reports::SenderResult>& results, std::string_view what,
                        std::int64_t floor_bytes);

}  // namespace harness
