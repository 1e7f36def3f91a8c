#include <algorithm>

#include "sim/schedule/schedule.h"

namespace sim {

Point Passed::pass(const Move& move) {
  const auto known = std::find_if(counts_.begin(), counts_.end(),
                                  [&](const Count& c) { return c.move.same_point(move); });
  const std::int64_t before = known == counts_.end() ? 0 : known->count++;
  if (known == counts_.end()) counts_.push_back({move, 1});
  return {move.actor, move.command, move.subject, before};
}

bool Passed::has(const Point& point) const {
  const auto known = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) {
    return c.move.actor == point.actor && c.move.command == point.command &&
           c.move.subject == point.subject;
  });
  return known != counts_.end() && known->count > point.occurrence;
}

namespace {

struct Pending {
  const Deviation* deviation;
  bool waited = false;  // it was due, and not offered
};

// The first deviation that is due and offered.
std::optional<Offer> due_now(const World& world, const Passed& passed,
                             std::vector<Pending>& pending) {
  for (auto next = pending.begin(); next != pending.end(); ++next) {
    const auto& after = next->deviation->after;
    if (after && !passed.has(*after)) continue;
    if (auto offer = world.find(next->deviation->move)) {
      pending.erase(next);
      return offer;
    }
    next->waited = true;
  }
  return std::nullopt;
}

}  // namespace

Replay replay(const WorldSettings& settings, const std::vector<Deviation>& deviations) {
  Replay result;
  World world(settings);
  Passed passed;
  std::vector<Pending> pending;
  for (const Deviation& deviation : deviations) pending.push_back({&deviation});
  std::vector<Offer> offers;
  std::optional<Point> last;
  bool late = false;
  while (!world.over()) {
    world.offers(offers);
    const std::size_t before = pending.size();
    std::optional<Offer> deviating = due_now(world, passed, pending);
    const Offer offer = deviating.value_or(offers.front());
    late = late ||
           (before != pending.size() &&
            std::any_of(pending.begin(), pending.end(), [](const Pending& p) { return p.waited; }));
    if (deviating && !(offer.move == offers.front().move)) {
      result.made.push_back({offer.move, last});
      result.steps.push_back({offer.move, true});
    } else {
      result.steps.push_back({offer.move, false});
    }
    last = passed.pass(offer.move);
    world.apply(offer);
  }
  result.verdict = world.verdict();
  result.fingerprint = world.fingerprint();
  for (const Pending& unmade : pending) result.left.push_back(*unmade.deviation);
  if (!pending.empty()) {
    result.fit = Fit::stale;
  } else if (late) {
    result.fit = Fit::adapted;
  }
  return result;
}

}  // namespace sim
