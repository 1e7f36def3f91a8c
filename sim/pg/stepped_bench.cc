// 100,000 steps on PostgreSQL and on the model, in two databases at once: `./dev bench stepped`.
// The first difference ends it.
#include <benchmark/benchmark.h>

#include "sim/pg/compare.h"
#include "sim/pg/testing/stepped_server.h"

namespace sim::pg {
namespace {

void schedules_of_40_steps(benchmark::State& state) {
  testing::SteppedServer server;
  auto seed = 1'000'000 * (static_cast<std::uint64_t>(state.thread_index()) + 1);
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
  const auto each_minute = benchmark::Counter::kIsRate;
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["schedules a minute"] =
      benchmark::Counter(60 * static_cast<double>(state.iterations()), each_minute);
}
BENCHMARK(schedules_of_40_steps)
    ->Iterations(1'250)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sim::pg
