#include "sim/world/world.h"

#include <algorithm>

#include "core/assert.h"

namespace sim {

using core::Duration;
using core::Instant;

World::World(const WorldSettings& settings)
    : settings_(&settings),
      database_(settings.policy, settings.members),
      provider_(settings.provider, settings.members),
      watches_(static_cast<std::size_t>(settings.members)),
      budget_(settings.budget) {
  for (const Conjunct conjunct : settings.dropped) database_.drop(conjunct);
  if (settings.not_after > Duration(0)) database_.set_not_after(world_begins + settings.not_after);
  if (settings.priorities > 1) {
    std::vector<int> priorities;
    for (std::int64_t member = 1; member <= settings.members; ++member)
      priorities.push_back(settings.priority_of(member));
    database_.set_priorities(priorities);
  }
  for (int actor = 0; actor < settings.workers; ++actor) pods_.push_back(fresh(actor, 0));
  alive_ = settings.workers;
  for (int actor = 0; actor < settings.workers; ++actor) tell(actor, started());
}

namespace {

Command command_of(const Flight& flight) {
  return flight.stage == Flight::Stage::asked ? Command::send : Command::answer;
}

std::int64_t subject_of(const core::StoreCommand& command) {
  const auto* record = std::get_if<core::RecordBatch>(&command);
  return record != nullptr ? core::number(record->batch) : 0;
}

void offer_pod(const Pod& pod, int actor, Instant now, std::vector<Offer>& offers) {
  if (pod.uncommitted) {
    offers.push_back({{actor, Command::commit, 0}, 0});
  } else if (pod.asked) {
    offers.push_back({{actor, sim::command_of(*pod.asked), subject_of(*pod.asked)}, 0});
  }
  for (std::size_t i = 0; i < pod.flights.size(); ++i) {
    const Flight& flight = pod.flights[i];
    if (flight.stage == Flight::Stage::silent || now < flight.answered) continue;
    // A worker that took its own batch again may have two requests of one member under way. A move
    // names the member, so they go in the order in which they were asked for.
    const auto same = [&](const Flight& before) {
      return before.member == flight.member && before.stage == flight.stage;
    };
    if (std::find_if(pod.flights.begin(), pod.flights.begin() + static_cast<std::ptrdiff_t>(i),
                     same) != pod.flights.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    offers.push_back(
        {{actor, command_of(flight), core::number(flight.member)}, static_cast<int>(i)});
  }
}

}  // namespace

void World::offers(std::vector<Offer>& offers) const {
  offers.clear();
  const int workers = static_cast<int>(pods_.size());
  for (int i = 0; i < workers; ++i) {
    const int actor = (followed_ + i) % workers;
    const Pod& pod = pods_[static_cast<std::size_t>(actor)];
    if (ready(pod)) offer_pod(pod, actor, now_, offers);
  }
  if (offers.empty() || settings_->fine_time) offers.push_back({{environment, Command::time}, 0});
}

void World::faults_of(const Offer& offer, std::vector<Choice>& choices) const {
  choices.clear();
  const auto add = [&](Fault fault, std::initializer_list<Choice> more) {
    for (const Choice choice : more) {
      if (budget_.allows(fault)) choices.push_back(choice);
    }
  };
  if (is_statement(offer.move.command)) {
    add(Fault::statement, {Choice::lost, Choice::lost_done, Choice::undone});
    if (budget_.allows(Fault::statement) && budget_.allows(Fault::late))
      choices.push_back(Choice::ghost);
    add(Fault::held, {Choice::held});
  } else if (offer.move.command == Command::send) {
    add(Fault::slow, {Choice::slow});
    add(Fault::request, {Choice::never, Choice::silent, Choice::reset, Choice::unconnected});
    add(Fault::refusal, {Choice::unavailable, Choice::accepted_503, Choice::throttled});
  }
}

void World::misfortunes(std::vector<Offer>& offers) const {
  offers.clear();
  for (int actor = 0; actor < static_cast<int>(pods_.size()); ++actor) {
    const Pod& pod = pods_[static_cast<std::size_t>(actor)];
    if (pod.left || pod.starts_at) continue;
    const auto add = [&](Fault fault, Command command, Choice choice) {
      if (budget_.allows(fault)) offers.push_back({{actor, command, 0, choice}, 0});
    };
    add(Fault::kill, Command::kill, Choice::done);
    if (!ready(pod)) continue;
    add(Fault::freeze, Command::freeze, Choice::brief);
    add(Fault::freeze, Command::freeze, Choice::past_lease);
    if (!pod.stopping) add(Fault::stop, Command::stop, Choice::done);
  }
  const auto add = [&](Fault fault, Command command, std::int64_t subject, int index) {
    if (budget_.allows(fault)) offers.push_back({{environment, command, subject}, index});
  };
  add(Fault::start, Command::start, 0, 0);
  campaign_misfortunes(offers);
  add(Fault::outage, Command::outage, 0, 0);
  add(Fault::clock_jump, Command::clock_jump, 0, 0);
  if (before_last_ && !transactions_open())
    add(Fault::database_crash, Command::database_crash, 0, 0);
  for (std::size_t i = 0; i < late_requests_.size(); ++i)
    add(Fault::late, Command::late_request, core::number(late_requests_[i].member),
        static_cast<int>(i));
  for (std::size_t i = 0; i < late_statements_.size(); ++i) {
    if (!late_statements_[i].waiting)
      add(Fault::late, Command::late_statement, late_statements_[i].session - first_late_session,
          static_cast<int>(i));
  }
}

std::optional<Offer> World::find(const Move& move) const {
  std::vector<Offer> offered;
  if (move.choice != Choice::done || !is_fault(move.command, move.choice)) {
    offers(offered);
    for (Offer& offer : offered) {
      if (!offer.move.same_point(move)) continue;
      if (move.choice != Choice::done && move.choice != Choice::little) {
        std::vector<Choice> choices;
        faults_of(offer, choices);
        if (std::find(choices.begin(), choices.end(), move.choice) == choices.end()) continue;
      }
      offer.move = move;
      return offer;
    }
    if (move.command == Command::time) return Offer{move, 0};
  }
  misfortunes(offered);
  for (const Offer& offer : offered) {
    if (offer.move.same_point(move) && offer.move.choice == move.choice) return offer;
  }
  return std::nullopt;
}

Instant World::next_moment() const {
  Instant next = Instant::max();
  const auto at = [&](Instant instant) {
    if (instant > now_) next = std::min(next, instant);
  };
  for (const Pod& pod : pods_) {
    if (pod.left) continue;
    if (pod.starts_at || now_ < pod.frozen_until) {
      at(pod.starts_at.value_or(pod.frozen_until));
      continue;
    }
    at(pod.wait_until);
    if (pod.waiting()) at(pod.running_since + settings_->policy.statement_timeout);
    for (const Flight& flight : pod.flights) {
      if (flight.stage != Flight::Stage::asked) at(flight.started + settings_->policy.worst_send());
      at(flight.answered);
    }
  }
  if (campaign_goes_on_at_) at(*campaign_goes_on_at_);
  for (const LateRequest& late : late_requests_) at(late.until);
  for (const LateStatement& late : late_statements_) at(late.until);
  ASSERT(next != Instant::max());
  return next;
}

void World::pass_time(const Move& move) {
  const Instant next = next_moment();
  now_ = move.choice == Choice::little ? std::min(next, now_ + Duration(move.value)) : next;
  std::erase_if(late_requests_, [&](const LateRequest& late) { return late.until <= now_; });
  std::erase_if(late_statements_, [&](const LateStatement& late) {
    if (late.waiting && late.until <= now_) roll_back(late.session);
    return late.until <= now_;
  });
  for (int actor = 0; actor < static_cast<int>(pods_.size()); ++actor) {
    start_in_time(actor);
    for (std::size_t i = pods_[static_cast<std::size_t>(actor)].flights.size(); i-- > 0;) {
      const Pod& pod = pods_[static_cast<std::size_t>(actor)];
      if (!ready(pod) || i >= pod.flights.size()) break;
      const Flight& flight = pod.flights[i];
      const bool out = flight.stage != Flight::Stage::asked &&
                       now_ - flight.started >= settings_->policy.worst_send();
      if (out) finish(actor, static_cast<int>(i), {core::Transport::in_doubt, 0, {}}, true);
    }
    end_long_wait(actor);
    const Pod& pod = pods_[static_cast<std::size_t>(actor)];
    if (ready(pod) && now_ >= pod.wait_until) tell(actor, core::Tick{});
  }
  carry_on();
}

}  // namespace sim
