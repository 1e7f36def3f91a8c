// Worlds on PostgreSQL: what a mirror of one needs, and random ones, in schedules as sim/explore
// draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/pg/world_mirror.h"
#include "sim/world/settings.h"

namespace sim::pg {

// For WorldMirror. planner: in planner_settings(); the first is index scans, whatever the sizes.
Setup setup_of(const WorldSettings& settings, std::size_t planner = 0);

struct MirroredRun {
  std::int64_t steps = 0;                 // compared
  std::int64_t waits = 0;                 // calls that waited for a lock
  bool ended = false;                     // not given up because a second session would have waited
  std::optional<std::string> difference;  // the first
};

// Requires: the budget has no database_crash. The planner is drawn with the seed.
MirroredRun run_mirrored(const WorldSettings& settings, std::uint64_t seed,
                         SteppedDatabase& database, MutantStatement* mutant = nullptr);

// drawn_settings(seed) with what can be asked of PostgreSQL.
WorldSettings mirrored_settings(std::uint64_t seed);
// The same, but that transactions are held open often, and others come to wait.
WorldSettings crowded_settings(std::uint64_t seed);

}  // namespace sim::pg
