// How long the migration keeps others waiting: 1.2 million members in the plain table, writers at
// it all the time, and all of deploy/migrations. Needs SENDPROOF_PG_DSN: run by `./dev bench`.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "core/pg/pqxx_transport.h"
#include "core/rng.h"
#include "embedded/harness_claim_cost/statements.h"
#include "harness/database/campaign_database.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* campaign = "migration";

// Writes one row after the other until told to stop, and remembers how long each took.
class Writer {
 public:
  Writer(const std::string& dsn, std::int64_t members, std::uint64_t seed)
      : transport_(core::pg::connect_with_pqxx({dsn, core::Duration(0), false, "writer"})),
        rng_(seed),
        members_(members),
        thread_([this] { write(); }) {}
  ~Writer() { stop(); }
  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::vector<double> milliseconds() const { return milliseconds_; }  // after stop()
  bool failed() const { return failed_; }

 private:
  void write() {
    while (!stopping_) {
      const auto member = 1 + rng_.next() % static_cast<std::uint64_t>(members_);
      const auto begin = Clock::now();
      const auto result =
          transport_->execute({"opt_out_one", harness::claim_cost::statements::opt_out_one},
                              {campaign, std::to_string(member)});
      // "cached plan must not change result type" can't happen: it returns nothing.
      if (!result.sqlstate.empty()) failed_ = true;
      milliseconds_.push_back(
          std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
  }

  std::unique_ptr<core::pg::Transport> transport_;
  core::Rng rng_;
  std::int64_t members_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> failed_{false};
  std::vector<double> milliseconds_;
  std::thread thread_;  // last: it uses the others
};

// Twice over the same table: the second run finds everything done.
void migrate(benchmark::State& state) {
  const char* server = std::getenv("SENDPROOF_PG_DSN");
  if (server == nullptr) return state.SkipWithError("SENDPROOF_PG_DSN is not set: run ./dev bench");
  const std::int64_t members = state.range(0);
  for (auto _ : state) {
    auto database = harness::CampaignDatabase::create(server, campaign);
    if (!database) return state.SkipWithError(database.error().c_str());
    if (const auto made = database->make_table(); !made)
      return state.SkipWithError(made.error().c_str());
    if (const auto loaded = database->load(members); !loaded)
      return state.SkipWithError(loaded.error().c_str());
    Writer writer(database->dsn(), members, 1), other(database->dsn(), members, 2);
    const auto begin = Clock::now();
    for (const char* run : {"", "again_"}) {
      const auto from = Clock::now();
      if (const auto done = database->migrate(); !done)
        return state.SkipWithError(done.error().c_str());
      state.counters[std::string(run) + "migrate_s"] =
          std::chrono::duration<double>(Clock::now() - from).count();
    }
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
    writer.stop();
    other.stop();
    if (writer.failed() || other.failed()) return state.SkipWithError("a writer was refused");
    std::vector<double> times = writer.milliseconds();
    for (const double one : other.milliseconds()) times.push_back(one);
    std::ranges::sort(times);
    state.counters["writes"] = static_cast<double>(times.size());
    state.counters["write_median_ms"] = times[times.size() / 2];
    state.counters["write_p999_ms"] = times[times.size() * 999 / 1000];
    state.counters["write_longest_ms"] = times.back();
  }
}

BENCHMARK(migrate)->Arg(1'200'000)->Iterations(1)->UseManualTime()->Unit(benchmark::kSecond);

}  // namespace
