// A worker alone with a campaign in memory, whose clock moves along with its own.
#pragma once

#include "core/testing/campaign_in_memory.h"
#include "core/testing/worker_driver.h"

namespace core::testing {

// No shared rate: tests of pacing set one.
inline Policy without_rate() {
  Policy policy;
  policy.rate_per_s = 0;
  return policy;
}

// Whose run ends by itself: five tries while nobody is accepted take an hour and more.
inline Policy without_deadline() {
  Policy policy = without_rate();
  policy.deadline = std::chrono::hours(6);
  return policy;
}

struct LoneWorker {
  explicit LoneWorker(std::int64_t members, const Policy& the_policy = without_rate())
      : policy(the_policy), campaign(policy, members), driver(policy, campaign) {
    driver.on_passing = [this](Duration duration) { campaign.now += duration; };
    driver.on_asked = [this](const StoreCommand& command) { asked.push_back(command); };
  }
  LoneWorker(const LoneWorker&) = delete;

  CampaignInMemory::Member& member(std::int64_t id) { return campaign.members.at(MemberId(id)); }
  template <typename Command>
  void start_until_asked() {
    driver.start();
    run_until_asked<Command>();
  }
  template <typename Command>
  void run_until_asked() {
    driver.run_until([this] { return driver.has_asked<Command>(); });
  }
  // How often it was asked for.
  template <typename Command>
  std::vector<Command> all() const {
    std::vector<Command> found;
    for (const StoreCommand& command : asked) {
      if (const auto* one = std::get_if<Command>(&command)) found.push_back(*one);
    }
    return found;
  }

  Policy policy;
  CampaignInMemory campaign;
  WorkerDriver driver;
  std::vector<StoreCommand> asked;
};

}  // namespace core::testing
