#include "sim/pg/schedule.h"

#include <optional>
#include <utility>

#include "sim/pg/draw_request.h"
#include "sim/pg/model_side.h"

namespace sim::pg {
namespace {

using core::DbTime;
using core::Duration;
using Kind = Step::Kind;

// Far enough from 1970 that leases of drawn lengths don't reach it.
constexpr DbTime start{std::chrono::hours(480'000)};

// Whether members become due at the request's own time.
bool sets_due(const ModelDatabase::Request& request) {
  if (const auto* command = std::get_if<core::StoreCommand>(&request))
    return std::holds_alternative<core::Sweep>(*command) ||
           std::holds_alternative<core::SkipStale>(*command);
  return std::holds_alternative<RetryNow>(std::get<Bystander>(request));
}

class Drawing {
 public:
  Drawing(std::uint64_t seed, Schedule setup)
      : rng_(core::mix(seed)),
        schedule_(std::move(setup)),
        ascending_(planner_settings()[schedule_.planner].ascending),
        disconnects_(pick(40) == 0),
        requests_(rng_.next(), schedule_.policy, ascending_),
        side_(schedule_) {}

  Schedule draw(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (chance(35)) pass_time();
      take(next());
    }
    for (bool closed = false; !closed;) {
      closed = true;
      for (SessionId s = 0; s < schedule_.sessions; ++s) {
        if (!model().open(s) || model().waiting(s)) continue;
        take({chance(70) ? Kind::commit : Kind::rollback, s, {}, now_});
        closed = false;
      }
    }
    return std::move(schedule_);
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return rng_.next() % below; }
  bool chance(std::uint64_t percent) { return pick(100) < percent; }
  const ModelDatabase& model() const { return side_.model(); }

  void pass_time() {
    const std::uint64_t what = pick(10);
    if (what < 6) {
      now_ += Duration(static_cast<std::int64_t>(pick(900'000)));
    } else if (what < 9) {
      now_ += Duration(static_cast<std::int64_t>(pick(40'000'000)));
    } else {
      now_ += schedule_.policy.lease;
    }
  }

  bool somebody_waits() const {
    for (SessionId s = 0; s < schedule_.sessions; ++s) {
      if (model().waiting(s)) return true;
    }
    return false;
  }
  bool somebody_else_is_open(SessionId session) const {
    for (SessionId s = 0; s < schedule_.sessions; ++s) {
      if (s != session && model().open(s)) return true;
    }
    return false;
  }

  // Nothing: it would depend on what PostgreSQL leaves open.
  bool is_determined(SessionId session, const ModelDatabase::Request& request) const {
    const auto* command = std::get_if<core::StoreCommand>(&request);
    if (!ascending_ && somebody_else_is_open(session)) {
      if (command != nullptr && std::holds_alternative<core::Sweep>(*command)) return false;
    }
    // Of several rows that are locked, which one it waits for first depends on the plan.
    const bool skips = command != nullptr && std::holds_alternative<core::SkipStale>(*command);
    if (!somebody_waits() && !skips) return true;
    ModelDatabase trial = model();
    trial.run(session, request, now_);
    return !trial.waiting(session);
  }

  Step next() {
    for (;;) {
      const auto session =
          static_cast<SessionId>(pick(static_cast<std::uint64_t>(schedule_.sessions)));
      if (model().waiting(session)) {
        if (disconnects_ && chance(5)) return {Kind::disconnect, session, {}, now_};
        continue;
      }
      if (!model().open(session))
        return request_in(session, chance(50) ? Kind::at_once : Kind::held);
      const std::uint64_t what = pick(100);
      if (what < 25) return {Kind::commit, session, {}, now_};
      if (what < 31) return {Kind::rollback, session, {}, now_};
      if (what < 34 && disconnects_) return {Kind::disconnect, session, {}, now_};
      return request_in(session, Kind::held);
    }
  }

  Step request_in(SessionId session, Kind kind) {
    if (chance(1)) return {Kind::add_member, session, {}, now_, static_cast<int>(pick(2))};
    for (;;) {
      auto request = requests_.draw(model(), now_);
      if (is_determined(session, request)) return {kind, session, std::move(request), now_};
    }
  }

  void take(Step step) {
    side_.play(step);
    if (sets_due(step.request)) now_ += Duration(1);  // no two members due at the same time
    for (const auto& [request, answer] : side_.answers()) requests_.heard(request, answer);
    schedule_.steps.push_back(std::move(step));
  }

  core::Rng rng_;
  Schedule schedule_;
  bool ascending_;
  bool disconnects_;  // in few schedules: a new session has all its plans to make
  Requests requests_;
  ModelSide side_;
  DbTime now_ = start;
};

}  // namespace

std::size_t draw_planner(core::Rng& rng) {
  const std::size_t costly = planner_settings().size() - planner_settings_costly;
  const bool cheap = rng.next() % 25 != 0;
  return cheap ? rng.next() % costly : costly + rng.next() % planner_settings_costly;
}

Schedule draw_schedule(std::uint64_t seed, int steps) {
  core::Rng rng(seed);
  const auto pick = [&](std::uint64_t below) { return rng.next() % below; };
  Schedule setup;
  setup.seed = seed;
  setup.planner = draw_planner(rng);
  setup.sessions = static_cast<int>(pick(3)) + 2;
  setup.policy.batch = static_cast<std::int64_t>(pick(3)) + 2;
  setup.policy.rate_per_s = pick(4) == 0 ? 0 : 300;
  setup.policy.lease = std::chrono::seconds(pick(60) + 5);
  const bool mixed = pick(2) == 0;
  const bool nearly_over = pick(4) == 0;  // the others are added late
  for (std::uint64_t members = nearly_over ? 1 : pick(9) + 4; members > 0; --members)
    setup.priorities.push_back(mixed ? static_cast<int>(pick(3)) : 0);
  const std::uint64_t drawing = rng.next();
  if (pick(4) == 0) setup.not_after = start + Duration(static_cast<std::int64_t>(pick(60'000'000)));
  return Drawing(drawing, std::move(setup)).draw(steps);
}

}  // namespace sim::pg
