#include "sim/night/reference_night.h"

#include <algorithm>

namespace sim {
namespace {

WorldSettings scripted(WorldSettings settings) {
  settings.workers = 0;
  settings.budget = {};
  settings.scripted = true;
  settings.fine_time = false;
  // A night takes about five steps a member; whoever takes this many goes in a circle.
  settings.steps_max = 1'000'000 + 100 * settings.members;
  return settings;
}

}  // namespace

ReferenceNight::ReferenceNight(WorldSettings settings)
    : settings_(scripted(std::move(settings))), world_(settings_) {}

int ReferenceNight::start() {
  world_.apply({{environment, Command::start}, 0});
  return static_cast<int>(world_.pods().size()) - 1;
}

void ReferenceNight::kill(int actor) {
  world_.apply({{actor, Command::kill}, 0});
}

void ReferenceNight::terminate(int actor) {
  world_.apply({{actor, Command::stop}, 0});
}

std::optional<int> ReferenceNight::step() {
  if (world_.stuck()) return std::nullopt;
  world_.offers(offers_);
  // In turn, as processes run beside each other: followed one at a time, the first of two pods
  // would send the whole campaign before the other moves.
  const int pods = static_cast<int>(world_.pods().size());
  const auto turn = [&](const Offer& offer) {
    return offer.move.actor == environment ? pods : (offer.move.actor - moved_ - 1 + pods) % pods;
  };
  const auto next = std::ranges::min_element(offers_, {}, turn);
  Offer offer = *next;
  if (is_statement(offer.move.command)) count(offer.move);
  if (offer.move.actor != environment) moved_ = offer.move.actor;
  world_.apply(offer);
  return offer.move.actor;
}

// A statement reaches the database.
void ReferenceNight::count(Move& statement) {
  const std::int64_t nth = ++reached_[static_cast<std::size_t>(statement.command)];
  for (const Strike& strike : strikes_) {
    if (strike.statement != statement.command || strike.nth != nth) continue;
    statement.choice = strike.choice;
    world_.hold_answer();
  }
}

bool ReferenceNight::alive(int actor) const {
  return !world_.pods()[static_cast<std::size_t>(actor)].left;
}

}  // namespace sim
