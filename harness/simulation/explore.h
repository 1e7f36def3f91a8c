// Random schedules on several threads: seed i is always schedule i, and what is reported is that of
// the first seeds up to some number, whatever the number of threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/explore/random.h"

namespace harness {

struct ExploreOptions {
  std::uint64_t first_seed = 1;
  std::optional<std::int64_t> schedules;  // at most
  std::chrono::milliseconds budget{60'000};
  int jobs = 1;
};

struct Explored {
  std::int64_t schedules = 0;
  std::int64_t steps = 0;
  std::int64_t repeats = 0;       // mails that the provider's key absorbed
  std::int64_t stale_writes = 0;  // records that the fence refused
  sim::Coverage coverage;
  std::chrono::nanoseconds cpu{0};           // of all threads together
  std::optional<std::uint64_t> failed_seed;  // the first that breaks an oracle
  std::optional<sim::Verdict> verdict;

  std::int64_t schedules_a_core_minute() const;
};

// `settings_of` is called by all threads. `go_on` is asked with what was seen so far, by this
// thread only, about ten times a second. After a no it is not asked again, and what is at work is
// finished.
Explored explore(const ExploreOptions& options,
                 const std::function<sim::WorldSettings(std::uint64_t)>& settings_of,
                 const std::function<bool(const Explored&)>& go_on);

// Plants a wrong sender of the catalog, or leaves a part out of a statement. Returns: "", or what
// `bug` can't be and what it can; "" plants nothing.
std::string plant(sim::WorldSettings& settings, const std::string& bug);

// The world of a seed; of a bug of the catalog, the one that it is at home in, whatever the seed.
sim::WorldSettings explored_world(std::uint64_t seed, const std::string& bug);

}  // namespace harness
