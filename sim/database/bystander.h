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
struct Suppress {  // a person takes an open member out of the campaign, whoever has claimed it
  core::MemberId member{};
};
struct RetryNow {  // a person puts an open member into the retry pool, whoever has claimed it
  core::MemberId member{};
};
struct PauseCampaign {
  bool paused = true;
};

struct AddMember {  // after the last
  int priority = 0;
};

using Bystander =
    std::variant<OptOut, WithdrawOptOut, Suppress, RetryNow, PauseCampaign, AddMember>;

}  // namespace sim
