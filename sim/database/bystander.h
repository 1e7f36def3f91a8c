// What others than senders write into the tables while a campaign runs.
#pragma once

#include <variant>

#include "core/ids.h"

namespace sim {

struct OptOut {
  core::MemberId member{};
};
struct WithdrawOptOut {
  core::MemberId member{};
};
struct PauseCampaign {
  bool paused = true;
};

using Bystander = std::variant<OptOut, WithdrawOptOut, PauseCampaign>;

}  // namespace sim
