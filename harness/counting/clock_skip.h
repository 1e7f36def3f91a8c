// When waiting may be skipped by moving the campaign's clock, and how far. A pure function: the run
// loop gathers the facts.
//
// A jump is safe only while nobody works: a worker that holds a claim would find its lease
// shortened. Between the last look at the facts and the jump itself a worker may still wake up. It
// then finds nothing that is due, since nothing becomes due before the smallest `until`, which is
// at least `least_skip` away; so it claims nothing, and the jump meets no lease.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/time.h"

namespace harness {

inline constexpr core::Duration least_skip{500'000};

struct Idleness {
  struct Worker {  // a live process
    bool waiting = false;
    std::int64_t until_us = 0;
    std::int64_t holding = 0;
  };
  std::vector<Worker> workers;
  std::int64_t open_requests = 0;  // at the provider
  std::int64_t busy_sessions = 0;  // statements running and transactions open, in the database
  std::int64_t clock_us = 0;       // campaign time
};

// Returns how far the clock may jump; nullopt: not at all now.
std::optional<core::Duration> skip_of(const Idleness& seen);

}  // namespace harness
