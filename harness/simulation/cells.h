// What schedules passed, as cells: a command and how it went, or what was under way at a worker
// that was killed or frozen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/explore/random.h"

namespace harness {

struct Cell {
  std::string name;  // "record_batch lost_done", "kill before send"
  std::int64_t passed = 0;
};

// The gate: from so many random schedules on every cell must have been passed; before, one may have
// been missed by chance.
constexpr std::int64_t gate_from_schedules = 50'000;

// All that can happen. "time" stands for a worker with nothing under way.
std::vector<Cell> cells_of(const sim::Coverage& coverage);

}  // namespace harness
