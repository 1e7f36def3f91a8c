// The reference sender end to end: sender, provider and PostgreSQL together. Needs nothing but the
// machine; the server is SENDPROOF_PG_DSN's if that is set (`./dev bench` does).
//   full_speed   no latency, no limit: what the machinery itself can do
//   at_limit     150 ms latency, 500/s: how much of the limit the steady middle reaches, and
//   whether any sliding second is
//                above it
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "harness/run.h"
#include "harness/silent_progress.h"

namespace {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sendproof-bench-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void run_reference(benchmark::State& state, const scenarios::Scenario& scenario) {
  for (auto _ : state) {
    const ScratchFolder folder;
    harness::RunOptions options;
    options.senders = {"reference"};
    options.out_folder = folder.path();
    harness::SilentProgress silent;
    const auto result = harness::run_scenario(scenario, options, silent);
    if (!result) {
      state.SkipWithError(result.error().message.c_str());
      return;
    }
    const reports::SenderResult& sender = result->senders.at(0);
    if (sender.duplicates + sender.lost > 0 || sender.accepted != sender.members) {
      state.SkipWithError("a member was doubled or lost");
      return;
    }
    const double wall_s = static_cast<double>(sender.wall.count()) / 1e6;
    state.SetIterationTime(wall_s);
    state.counters["mails_per_s"] = static_cast<double>(sender.accepted) / wall_s;
    state.counters["steady_per_s"] = static_cast<double>(sender.steady_per_s);
    state.counters["max_in_any_second"] = static_cast<double>(sender.max_in_any_second);
    state.counters["peak_rss_KiB"] = static_cast<double>(sender.peak_rss_bytes) / 1024;
  }
}

void full_speed(benchmark::State& state) {
  scenarios::Scenario scenario;
  scenario.name = "full-speed";
  scenario.audience.members = {100'000};
  scenario.sender.lanes = state.range(0);
  run_reference(state, scenario);
}

void at_limit(benchmark::State& state) {
  scenarios::Scenario scenario;
  scenario.name = "at-limit";
  scenario.audience.members = {10'000};
  scenario.provider.limit_per_s = 500;
  scenario.provider.latency = {{1000, core::Duration(150'000)}};
  scenario.sender.processes = state.range(0);
  scenario.sender.lanes = state.range(1);
  scenario.sender.rate_per_s = 500;
  run_reference(state, scenario);
}

BENCHMARK(full_speed)->Arg(8)->Arg(100)->Iterations(1)->UseManualTime()->Unit(benchmark::kSecond);
BENCHMARK(at_limit)
    ->Args({1, 100})
    ->Args({4, 25})
    ->Args({16, 8})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kSecond);

}  // namespace
