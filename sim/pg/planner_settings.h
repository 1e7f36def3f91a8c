// Settings of PostgreSQL's planner under which our statements must mean the same.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sim::pg {

struct PlannerSettings {
  std::string_view name;
  std::string_view options;  // of a connection
  // Members are found, and so locked, in ascending order. Where they are not, which rows a waiting
  // statement has locked already is the plan's choice, and a schedule must not depend on it.
  bool ascending = true;
};

// The last ones take several times as long as the others: every row of every campaign is looked at,
// or each statement is planned anew.
constexpr std::size_t planner_settings_costly = 2;
std::span<const PlannerSettings> planner_settings();

}  // namespace sim::pg
