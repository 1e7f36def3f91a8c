// Drives a Worker with threads: one a lane, one for the database, and the caller's as the event
// loop.
//
// Threads: run() belongs to one thread; stop() may be called from any.
// Time:    CLOCK_MONOTONIC. A request that has used up connect + read time-out is cancelled.
#pragma once

#include <functional>
#include <memory>

#include "core/commands.h"
#include "core/metrics/metrics.h"
#include "core/metrics/publisher.h"
#include "core/pg/store.h"
#include "core/policy.h"
#include "core/provider.h"

namespace core::sender {

class Driver {
 public:
  // Requires: policy.problems() is empty; one provider a lane. Keeps references to all of them.
  Driver(const Policy& policy, pg::PgStore& store, std::vector<std::unique_ptr<Provider>> lanes,
         Duration poll, std::uint64_t seed, int plan_version, const Hours& hours,
         metrics::Metrics& metrics, metrics::Publisher& publisher);
  ~Driver();

  // Until the worker leaves.
  Exit run();
  // The worker starts nothing more, records, releases and leaves.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace core::sender
