// Steps on PostgreSQL and on the model, in two databases at once: `./dev bench stepped`. The first
// difference ends it.
#include <benchmark/benchmark.h>

#include "sim/pg/compare.h"
#include "sim/pg/mirrored_run.h"
#include "sim/pg/testing/stepped_server.h"

namespace sim::pg {
namespace {

// Each thread has seeds of its own.
std::uint64_t first_seed(const benchmark::State& state) {
  return 1'000'000 * (static_cast<std::uint64_t>(state.thread_index()) + 1);
}

benchmark::Counter a_minute(double count) {
  return {60 * count, benchmark::Counter::kIsRate};
}

void schedules_of_40_steps(benchmark::State& state) {
  testing::SteppedServer server;
  std::uint64_t seed = first_seed(state);
  std::size_t steps = 0;
  for (auto _ : state) {
    Course course;
    const Schedule schedule = draw_schedule(++seed, 40);
    if (const auto difference = compare(schedule, server.stepped(), course)) {
      state.SkipWithError(difference->c_str());
      break;
    }
    steps += schedule.steps.size();
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["schedules a minute"] = a_minute(static_cast<double>(state.iterations()));
}
BENCHMARK(schedules_of_40_steps)
    ->Iterations(1'250)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void worlds(benchmark::State& state) {
  testing::SteppedServer server;
  std::uint64_t seed = first_seed(state);
  std::int64_t steps = 0;
  for (auto _ : state) {
    const WorldSettings settings = mirrored_settings(++seed);
    const MirroredRun run = run_mirrored(settings, seed, server.stepped());
    if (run.difference) {
      state.SkipWithError(run.difference->c_str());
      break;
    }
    steps += run.steps;
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["steps a minute"] = a_minute(static_cast<double>(steps));
}
BENCHMARK(worlds)->Iterations(1'250)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sim::pg
