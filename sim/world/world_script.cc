// What a scenario does to a scripted world. Its other deeds (kill, start) are moves.
#include <algorithm>

#include "core/assert.h"
#include "sim/world/world.h"

namespace sim {

using core::Instant;

void World::leave(int actor, int exit_code) {
  pods_[static_cast<std::size_t>(actor)].left = true;
  --alive_;
  ended_.push_back({actor, exit_code});
}

void World::suspend(int actor) {
  pods_[static_cast<std::size_t>(actor)].frozen_until = Instant::max();
}

void World::resume(int actor) {
  // A moment that the clock reaches: there it hears of all that it has missed.
  pods_[static_cast<std::size_t>(actor)].frozen_until = now_ + core::Duration(1);
}

void World::begin_outage(core::Duration lasts) {
  provider_.begin_outage(provider_now(), lasts);
}

void World::advance(core::Duration by) {
  db_ahead_ += by;
  provider_ahead_ += by;
}

void World::thaw() {
  std::vector<std::uint32_t> gone;
  for (std::size_t actor = 0; actor < pods_.size(); ++actor) {
    Pod& pod = pods_[actor];
    if (pod.left) gone.push_back(static_cast<std::uint32_t>(actor));
    for (Flight& flight : pod.flights) {
      if (!flight.withheld) continue;
      flight.withheld = false;
      flight.stage = Flight::Stage::answering;
      flight.answered = now_;
      flight.answer.status = fake_mail::status::ok;
    }
  }
  provider_.thaw(gone);
}

void World::land() {
  while (!late_statements_.empty() && !verdict_) {
    const SessionId session = late_statements_.front().session;
    apply({{environment, Command::late_statement, session - first_late_session}, 0});
    ASSERT(verdict_ || late_statements_.empty() || late_statements_.front().session != session);
  }
}

bool World::stuck() const {
  return std::all_of(pods_.begin(), pods_.end(),
                     [](const Pod& pod) { return pod.left || pod.frozen_until == Instant::max(); });
}

}  // namespace sim
