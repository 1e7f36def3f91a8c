// Seeded schedules of statements over a few sessions, the same for every side that plays them.
//
// They are drawn along a model, so that most of what is asked makes sense: records of live claims,
// stale ones, ends of leases. What PostgreSQL leaves open is not drawn: which of several members
// with the same due time a limited claim takes; which of several waiting sessions comes first (at
// most one waits, and another may close a circle); in which order rows are locked (see
// PlannerSettings::ascending).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rng.h"
#include "sim/database/model_database.h"
#include "sim/pg/planner_settings.h"

namespace sim::pg {

struct Step {
  enum class Kind {
    at_once,  // the request, in a transaction of its own
    held,     // the request, in the session's transaction, which stays open
    commit,
    rollback,
    disconnect,
    add_member,
  };
  Kind kind = Kind::at_once;
  SessionId session = 0;
  ModelDatabase::Request request;
  core::DbTime now{};
  int priority = 0;  // of the added member
};

// Whether the step is possible while its session waits; others are left out then, which happens
// only with planted bugs.
constexpr bool can_wait(Step::Kind kind) {
  return kind == Step::Kind::disconnect || kind == Step::Kind::rollback ||
         kind == Step::Kind::add_member;
}

// What the model makes of a step's request.
enum class Expected { done, waits, deadlock };

// What the steps are about, and how the statements are planned.
struct Setup {
  std::size_t planner = 0;  // in planner_settings()
  core::Policy policy;
  std::vector<int> priorities;  // of members 1 .. n
  std::optional<core::DbTime> not_after;
};

struct Schedule : Setup {
  std::uint64_t seed = 0;
  int sessions = 2;         // 0 .. sessions - 1
  std::vector<Step> steps;  // the last ones close what is open
};

// Returns: a schedule of `steps` steps, and those that close it.
Schedule draw_schedule(std::uint64_t seed, int steps);

// Returns: a number in planner_settings(); those that are costly come rarely.
std::size_t draw_planner(core::Rng& rng);

}  // namespace sim::pg
