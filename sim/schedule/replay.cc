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

bool Recorder::note(const Move& made, const Move& usual) {
  const bool deviates = !(made == usual);
  if (deviates) deviations_.push_back({made, last_});
  last_ = passed_.pass(made);
  return deviates;
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
  Recorder recorder;
  std::vector<Pending> pending;
  for (const Deviation& deviation : deviations) pending.push_back({&deviation});
  std::vector<Offer> offers;
  bool late = false;
  while (!world.over()) {
    world.offers(offers);
    const std::size_t before = pending.size();
    std::optional<Offer> deviating = due_now(world, recorder.passed(), pending);
    const Offer offer = deviating.value_or(offers.front());
    late = late ||
           (before != pending.size() &&
            std::any_of(pending.begin(), pending.end(), [](const Pending& p) { return p.waited; }));
    result.steps.push_back({offer.move, recorder.note(offer.move, offers.front().move)});
    world.apply(offer);
  }
  result.made = recorder.take();
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
