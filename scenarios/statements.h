// The statements that an event can wait for, by name.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "core/commands.h"

namespace scenarios {

// In the order of core::StoreCommand.
inline constexpr std::array<std::string_view, 12> kStatements = {
    "plan",         "claim_batch",    "claim_retries", "read_back", "reserve_slots", "recheck",
    "record_batch", "record_retries", "pause",         "sweep",     "count_totals",  "skip_stale"};
static_assert(kStatements.size() == std::variant_size_v<core::StoreCommand>);

}  // namespace scenarios
