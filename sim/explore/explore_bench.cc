// How fast the simulator is, beside what it should reach: `./dev bench explore`.
#include <benchmark/benchmark.h>

#include "sim/explore/exhaustive.h"
#include "sim/explore/random.h"

namespace sim {
namespace {

using core::operator""ms;

// Four workers, twelve members, all faults and all oracles.
void random_schedules(benchmark::State& state) {
  std::uint64_t seed = 0;
  for (auto _ : state) {
    ++seed;
    WorldSettings settings = drawn_settings(seed);
    settings.workers = 4;
    settings.members = 12;
    const RandomRun run = run_random(settings, seed, nullptr);
    if (run.verdict) state.SkipWithError(run.verdict->what.c_str());
  }
  state.counters["schedules a minute"] =
      benchmark::Counter(60 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.SetLabel("target 2 M a core-minute");
}
BENCHMARK(random_schedules)->Unit(benchmark::kMicrosecond);

void all_schedules(benchmark::State& state, const WorldSettings& settings) {
  for (auto _ : state) {
    const Exhausted all = exhaust(settings);
    if (all.verdict) state.SkipWithError(all.verdict->what.c_str());
    state.counters["states"] = static_cast<double>(all.states);
  }
  state.SetLabel(settings.name + ", target 15 s");
}
BENCHMARK_CAPTURE(all_schedules, two, bound_two())->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(all_schedules, three, bound_three())->Unit(benchmark::kSecond)->Iterations(1);

// 1.2 M members at 500/s and 150 ms, one worker with 100 lanes, killed once; 4 % passing and 0.1 %
// permanent failures.
void night(benchmark::State& state) {
  WorldSettings settings;
  settings.members = 1'200'000;
  settings.workers = 1;
  settings.fine_time = false;
  settings.steps_max = 100'000'000;
  settings.provider.latency = {{1000, 150ms}};
  settings.provider.rules = {{422, 997, 0}, {503, 25, 1}};
  settings.budget[Fault::kill] = 1;
  for (auto _ : state) {
    World world(settings);
    std::vector<Offer> offers;
    while (!world.over()) {
      if (world.provider().deliveries() == 600'000 && world.budget()[Fault::kill] > 0) {
        world.apply(*world.find({0, Command::kill}));
        continue;
      }
      world.offers(offers);
      world.apply(offers.front());
    }
    if (world.verdict()) state.SkipWithError(world.verdict()->what.c_str());
    state.counters["steps"] = static_cast<double>(world.steps());
    state.counters["night, s"] = static_cast<double>(world.now().time_since_epoch() / 1000ms);
    state.counters["repeats"] = static_cast<double>(world.provider().repeats());
  }
  state.SetLabel("target 10 s");
}
BENCHMARK(night)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace sim
