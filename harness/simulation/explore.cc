#include "harness/simulation/explore.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "scenarios/nearest.h"
#include "sim/bugs/catalog.h"
#include "sim/trace/settings_text.h"

namespace harness {
namespace {

using namespace std::chrono_literals;

// Seeds that a thread takes at a time: some milliseconds.
constexpr std::int64_t block_schedules = 256;

std::chrono::nanoseconds cpu_of_this_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void add(Explored& to, const Explored& more) {
  to.schedules += more.schedules;
  to.steps += more.steps;
  to.repeats += more.repeats;
  to.stale_writes += more.stale_writes;
  to.coverage.add(more.coverage);
  to.failed_seed = more.failed_seed;
  to.verdict = more.verdict;
}

class Exploration {
 public:
  Exploration(const ExploreOptions& options,
              const std::function<sim::WorldSettings(std::uint64_t)>& settings_of)
      : options_(options),
        settings_of_(settings_of),
        schedules_(options.schedules.value_or(std::numeric_limits<std::int64_t>::max())) {}

  Explored run(const std::function<bool(const Explored&)>& go_on) {
    const auto end = std::chrono::steady_clock::now() + options_.budget;
    std::vector<std::thread> threads;
    for (int i = 0; i < options_.jobs; ++i) {
      ++at_work_;
      threads.emplace_back([this] { work(); });
    }
    {
      std::unique_lock lock(mutex_);
      while (!done_.wait_for(lock, 100ms, [this] { return at_work_ == 0; })) {
        if (stopped_) continue;  // the threads finish their blocks, and nobody is asked any more
        const Explored seen = seen_;
        lock.unlock();
        if (!go_on(seen) || std::chrono::steady_clock::now() >= end) stopped_ = true;
        lock.lock();
      }
    }
    for (std::thread& thread : threads) thread.join();
    seen_.cpu = cpu_;
    return seen_;
  }

 private:
  void work() {
    const auto before = cpu_of_this_thread();
    while (!stopped_) {
      const std::int64_t block = next_block_++;
      if (block > schedules_ / block_schedules || block * block_schedules >= schedules_) break;
      Explored seen = explore_block(block);
      if (seen.verdict) stopped_ = true;  // blocks before this one are at work, and are finished
      const std::lock_guard lock(mutex_);
      finished_.emplace(block, std::move(seen));
      take_finished();
    }
    const std::lock_guard lock(mutex_);
    cpu_ += cpu_of_this_thread() - before;
    if (--at_work_ == 0) done_.notify_one();
  }

  Explored explore_block(std::int64_t block) const {
    Explored seen;
    const std::int64_t first = block * block_schedules;
    const std::int64_t last = first + std::min(block_schedules, schedules_ - first);
    for (std::int64_t i = first; i < last; ++i) {
      const std::uint64_t seed = options_.first_seed + static_cast<std::uint64_t>(i);
      const sim::WorldSettings settings = settings_of_(seed);
      const sim::RandomRun run = sim::run_random(settings, seed, &seen.coverage);
      ++seen.schedules;
      seen.steps += run.steps;
      seen.repeats += run.repeats;
      seen.stale_writes += run.stale_writes;
      if (!run.verdict) continue;
      seen.failed_seed = seed;
      seen.verdict = run.verdict;
      break;
    }
    return seen;
  }

  // Block by block in order, and none after the first that failed.
  void take_finished() {
    for (auto next = finished_.find(taken_); next != finished_.end() && !seen_.verdict;
         next = finished_.find(taken_)) {
      add(seen_, next->second);
      finished_.erase(next);
      ++taken_;
    }
  }

  const ExploreOptions& options_;
  const std::function<sim::WorldSettings(std::uint64_t)>& settings_of_;
  const std::int64_t schedules_;
  std::atomic<std::int64_t> next_block_ = 0;
  std::atomic<bool> stopped_ = false;

  std::mutex mutex_;
  std::condition_variable done_;
  int at_work_ = 0;
  std::int64_t taken_ = 0;
  std::map<std::int64_t, Explored> finished_;
  Explored seen_;
  std::chrono::nanoseconds cpu_{0};
};

}  // namespace

std::int64_t Explored::schedules_a_core_minute() const {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(cpu).count();
  return ms == 0 ? 0 : schedules * 60'000 / ms;
}

Explored explore(const ExploreOptions& options,
                 const std::function<sim::WorldSettings(std::uint64_t)>& settings_of,
                 const std::function<bool(const Explored&)>& go_on) {
  return Exploration(options, settings_of).run(go_on);
}

std::string plant(sim::WorldSettings& settings, const std::string& bug) {
  if (bug.empty()) return "";
  if (const sim::PlantedBug* found = sim::find_bug(bug)) {
    settings.bug = found;
    if (found->plant != nullptr) found->plant(settings);
    return "";
  }
  if (const auto part = sim::parse_conjunct(bug)) {
    settings.dropped.push_back(*part);
    return "";
  }
  std::vector<std::string> known = sim::bug_names();
  for (std::string& part : sim::part_names()) {
    if (sim::find_bug(part) == nullptr) known.push_back(std::move(part));
  }
  const auto meant = scenarios::nearest(bug, known);
  return "no planted bug is named \"" + bug + "\"; " +
         (meant ? "did you mean \"" + *meant + "\"? " : "") +
         "harness explore --bug list shows all";
}

sim::WorldSettings explored_world(std::uint64_t seed, const std::string& bug) {
  if (const sim::PlantedBug* found = sim::find_bug(bug)) return sim::planted(*found);
  sim::WorldSettings settings = sim::drawn_settings(seed);
  plant(settings, bug);
  return settings;
}

}  // namespace harness
