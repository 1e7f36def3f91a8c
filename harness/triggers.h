// The scenario's "accept N" moments: told to the provider before anything is sent, so that it
// freezes in the very critical section that makes delivery N, and watched for by a thread. Never
// timed.
#pragma once

#include <atomic>
#include <expected>
#include <string>
#include <thread>
#include <vector>

#include "harness/live_process.h"
#include "harness/provider.h"
#include "scenarios/scenario.h"

namespace harness {

std::expected<void, std::string> set_triggers(Provider& provider,
                                              const std::vector<scenarios::Event>& events);

// Puts a TriggerReport for each accept event as its delivery is made, in ascending order. The
// references must outlive it; the destructor ends the watching within its poll time.
class TriggerWatch {
 public:
  TriggerWatch(Provider& provider, const std::vector<scenarios::Event>& events, Reports& reports);
  ~TriggerWatch();
  TriggerWatch(const TriggerWatch&) = delete;
  TriggerWatch& operator=(const TriggerWatch&) = delete;

 private:
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace harness
