// A small world: workers, the model database, a provider that keeps its contract (a key is known
// for the dedupe window, and no longer), and one seeded chooser that decides who moves next and
// what goes wrong. Oracles watch every step.
//
// Ownership: a value. Time: virtual; it moves only when the chooser moves it. Errors: a broken
// oracle throws OracleBroken with the step, so that the seed reproduces it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/rng.h"
#include "core/worker.h"
#include "sim/database/model_database.h"

namespace sim {

struct OracleBroken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct WorldPlan {
  std::int64_t members = 12;
  std::int64_t workers = 2;
  core::Policy policy;
  int kills = 2;         // at most; a killed worker is replaced at once
  int freezes = 1;       // SIGSTOP for up to two leases
  int lost_answers = 4;  // of the store, done or not
  int opt_outs = 1;
  int stops = 1;                  // SIGTERM; the Job starts the worker again
  std::int64_t refuse_every = 0;  // 422 for members divisible by it
  int permille_503 = 0;
  int permille_silence = 0;  // accepted, never answered in time
};

struct WorldReport {
  std::int64_t steps = 0;
  std::int64_t repeats = 0;
  std::int64_t stale_writes = 0;
  std::int64_t kills = 0;
  std::int64_t failed = 0;
  std::int64_t unknown = 0;
};

// Runs one schedule to its end: until every worker has left of its own accord.
WorldReport run_world(const WorldPlan& plan, std::uint64_t seed);

}  // namespace sim
