// What a move does.
#include <algorithm>
#include <ranges>

#include "core/assert.h"
#include "sim/world/assertion.h"
#include "sim/world/world.h"

namespace sim {

using core::Duration;

namespace {

constexpr Duration brief_freeze{1'000'000};
constexpr Duration request_travels{1'000'000};  // at most, after its sender's end
constexpr Duration clock_jumps{3'600'000'000};
constexpr Duration job_backoff{10'000'000};  // of the Job controller, the first

// The newest, but one that has no request for the member under way yet if there is such a one: the
// old claim of a batch that the worker took again may start its own once more.
core::Token claim_of(const Pod& pod, core::MemberId member) {
  std::optional<core::Token> newest;
  for (const core::Claim& claim : pod.worker.claims() | std::views::reverse) {
    const bool flies = std::ranges::any_of(claim.members(), [&](const core::ClaimMember& claimed) {
      return claimed.phase == core::MemberPhase::flying && claimed.member.id == member;
    });
    if (!flies) continue;
    const bool has_one = std::ranges::any_of(pod.flights, [&](const Flight& flight) {
      return flight.member == member && flight.claim == claim.token;
    });
    if (!has_one) return claim.token;
    if (!newest) newest = claim.token;
  }
  ASSERT(newest && "a request belongs to a claim");
  return *newest;
}

}  // namespace

core::DbTime World::db_now() const {
  return world_begins + now_.time_since_epoch() + db_ahead_;
}

Pod World::fresh(int actor, std::int64_t incarnation) const {
  const std::uint64_t number =
      (static_cast<std::uint64_t>(actor) << 32U) + static_cast<std::uint64_t>(incarnation);
  const core::Policy& policy =
      settings_->worker_policy ? *settings_->worker_policy : settings_->policy;
  return {core::Worker(policy, core::mix(settings_->seed ^ core::mix(number)), 0), incarnation};
}

void World::tell(int actor, const core::Event& event) {
  {
    Pod& pod = pods_[static_cast<std::size_t>(actor)];
    const PlantedBug* bug = settings_->bug;
    if (bug != nullptr && bug->event != nullptr) {
      core::Event bent = event;
      bug->event(pod.sabotage, bent);
      pod.worker.on(now_, bent);
    } else {
      pod.worker.on(now_, event);
    }
  }
  while (!verdict_) {
    Pod& pod = pods_[static_cast<std::size_t>(actor)];
    auto command = pod.worker.next();
    if (!command) break;
    obey(actor, *command);
  }
  if (settings_->scripted)
    peak_held_bytes_ =
        std::max(peak_held_bytes_, pods_[static_cast<std::size_t>(actor)].worker.held_bytes());
}

void World::obey(int actor, core::Command& command) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (auto* store = std::get_if<core::StoreCommand>(&command)) {
    ASSERT(!pod.asked);
    const PlantedBug* bug = settings_->bug;
    if (bug != nullptr && bug->command != nullptr) bug->command(pod.sabotage, *store);
    pod.asked = std::move(*store);
  } else if (const auto* send = std::get_if<core::Send>(&command)) {
    if (pod.stopping) broken(Oracle::liveness, "a request is started after the stop");
    Flight flight;
    flight.lane = send->lane;
    flight.member = send->member;
    flight.claim = pod.sabotage.token.value_or(claim_of(pod, send->member));
    flight.latest_start = send->latest_start;
    pod.flights.push_back(flight);
  } else if (const auto* wait = std::get_if<core::Wait>(&command)) {
    pod.wait_until = wait->until;
  } else {
    on_exit(actor, std::get<core::Exit>(command));
  }
}

void World::on_exit(int actor, const core::Exit& exit) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  stale_writes_ += exit.report.stale_writes;
  const bool again =
      !settings_->scripted && (pod.stopping || exit.code == core::ExitCode::work_remains);
  if (exit.code == core::ExitCode::done || exit.code == core::ExitCode::look) {
    const bool remains = std::any_of(database_.members().begin(), database_.members().end(),
                                     [](const MemberRow& m) { return m.eligible(); });
    if (remains && !pod.stopping)
      broken(Oracle::S12, "a worker says it is done, and members remain");
  }
  end_process(actor);
  if (again) return start_again(actor, pod.incarnation + 1);
  if (settings_->scripted) return leave(actor, static_cast<int>(exit.code));
  pod.left = true;
  if (--alive_ == 0) watch_end();
}

// A paused campaign sends everybody home at once, and so may one outside of its window: without a
// pause between two starts they would start for ever, and no time would pass.
void World::start_again(int actor, std::int64_t incarnation) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  pod = fresh(actor, incarnation);
  if (database_.campaign().paused || !may_send()) {
    pod.starts_at = now_ + job_backoff;
  } else {
    tell(actor, started());
  }
}

void World::start_in_time(int actor) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (!pod.starts_at || now_ < *pod.starts_at) return;
  pod.starts_at.reset();
  tell(actor, started());
}

// What it had under way outlives it for a while.
void World::end_process(int actor) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (budget_.allows(Fault::late)) {
    for (const Flight& flight : pod.flights) {
      if (flight.stage != Flight::Stage::asked || now_ >= flight.latest_start) continue;
      MailText text;
      const PlantedBug* bug = settings_->bug;
      if (bug != nullptr && bug->mail != nullptr) bug->mail(pod.sabotage, flight.member, text);
      late_requests_.push_back({flight.member, text, now_ + request_travels});
    }
    if (pod.asked) outlive(actor, *pod.asked);
  }
  if (pod.running) roll_back(actor);
  pod.flights.clear();
  pod.asked.reset();
  pod.running.reset();
  pod.uncommitted.reset();
}

core::SendAnswer World::deliver(int actor, const Flight& flight, Choice choice, Duration& latency) {
  const core::MemberId member = flight.member;
  MailText text;
  const PlantedBug* bug = settings_->bug;
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (bug != nullptr && bug->mail != nullptr) bug->mail(pod.sabotage, member, text);
  const bool claimed = watch_request(actor, member, flight.claim, text);
  core::SendAnswer answer;
  if (choice == Choice::unavailable || choice == Choice::throttled) {
    answer.status = choice == Choice::unavailable ? 503 : 429;
  } else {
    const fake_mail::Answer decided = provider_.answer(
        {member, text.key, text.payload, provider_now(), static_cast<std::uint32_t>(actor)});
    answer.status = choice == Choice::accepted_503 && decided.status == 200 ? 503 : decided.status;
    if (decided.withheld) answer.status = 0;
    if (settings_->scripted) arrivals_.push_back({now_, member, answer.status, decided.outcome});
    latency = decided.latency;
    if (decided.retry_after > Duration(0)) answer.retry_after = decided.retry_after;
    const bool delivered = decided.outcome == fake_mail::Outcome::delivered;
    if (answer.status == 503 && delivered) watch(member).misled = true;
    // What is sent under a claim that has ended, its sender can't record: the next claim repeats
    // it.
    if ((answer.status == 200 || (delivered && answer.status == 0)) && claimed)
      pod.unrecorded.push_back(member);
    watch_unrecorded(actor);
    watch_deliveries(member);
  }
  return answer;
}

void World::apply_send(int actor, int index, Choice choice) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  Flight& flight = pod.flights[static_cast<std::size_t>(index)];
  if (flight.stage == Flight::Stage::answering) {
    finish(actor, index, flight.answer, true);
    return;
  }
  if (now_ >= flight.latest_start) {
    finish(actor, index, {}, false);
    return;
  }
  flight.started = now_;
  if (choice == Choice::unconnected) {
    finish(actor, index, {core::Transport::not_sent, 0, {}}, true);
    return;
  }
  if (choice == Choice::never) {
    flight.stage = Flight::Stage::silent;
    return;
  }
  Duration latency{0};
  const core::SendAnswer answer = deliver(actor, flight, choice, latency);
  if (verdict_) return;
  flight.withheld = provider_.frozen();
  if (choice == Choice::silent || answer.status == 0) {
    flight.stage = Flight::Stage::silent;
  } else if (choice == Choice::slow || (choice == Choice::done && latency > Duration(0))) {
    flight.stage = Flight::Stage::answering;
    flight.answered = now_ + latency;
    flight.answer = answer;
  } else if (choice == Choice::reset) {
    finish(actor, index, {core::Transport::in_doubt, 0, {}}, true);
  } else {
    finish(actor, index, answer, true);
  }
}

void World::finish(int actor, int index, core::SendAnswer answer, bool started) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  const Flight flight = pod.flights[static_cast<std::size_t>(index)];
  pod.flights.erase(pod.flights.begin() + index);
  core::SendFinished finished{flight.lane, answer, started};
  if (started) {
    Watch& heard = watch(flight.member);
    const bool before = heard.told_under == flight.claim;
    heard.told_under = flight.claim;
    if (answer.status != 429) ++heard.answers;
    heard.told_sent = answer.status == 200 || (before && heard.told_sent);
    heard.told_refused = answer.status == 422 || (before && heard.told_refused);
    if (may_tell_weather())
      pod.outage.hear(flight.member, flight.claim, answer, row(flight.member).attempts > 0);
  }
  const PlantedBug* bug = settings_->bug;
  if (bug != nullptr && bug->sent != nullptr)
    bug->sent(pod.sabotage, flight.member, finished.answer);
  tell(actor, finished);
}

void World::strike(const Move& move) {
  Pod& pod = pods_[static_cast<std::size_t>(move.actor)];
  if (move.command == Command::kill) {
    const std::int64_t next = pod.incarnation + 1;
    end_process(move.actor);
    if (settings_->scripted) {
      leave(move.actor, killed_exit_code);
      return carry_on();
    }
    pod = fresh(move.actor, next);
    tell(move.actor, started());
    carry_on();
  } else if (move.command == Command::freeze) {
    pod.frozen_until = now_ + brief_freeze;
    if (move.choice == Choice::past_lease) pod.frozen_until += settings_->policy.lease;
  } else {
    pod.stopping = true;
    tell(move.actor, core::Stop{});
  }
}

void World::befall(const Offer& offer) {
  const Command what = offer.move.command;
  const core::MemberId member{offer.move.subject};
  const auto index = static_cast<std::size_t>(offer.index);
  if (what == Command::start) {
    const int actor = static_cast<int>(pods_.size());
    pods_.push_back(fresh(actor, 0));
    ++alive_;
    tell(actor, started());
  } else if (is_of_the_campaign(what)) {
    befall_campaign(offer.move);
  } else if (what == Command::outage) {
    begin_outage(settings_->outage_lasts);
  } else if (what == Command::clock_jump) {
    db_ahead_ += clock_jumps;
  } else if (what == Command::database_crash) {
    database_ = *before_last_;
    before_last_.reset();
    crashed_ = true;
  } else if (what == Command::late_request) {
    late_landed_ = true;
    const MailText text = late_requests_[index].text;
    late_requests_.erase(late_requests_.begin() + offer.index);
    (void)provider_.answer({member, text.key, text.payload, provider_now()});
    watch_deliveries(member);
  } else {
    const LateStatement late = late_statements_[index];
    const auto answer = database_.run(late.session, late.command, db_now());
    if (calls_ != nullptr) note(DatabaseCall::Kind::at_once, late.session, late.command, answer);
    late_statements_[index].waiting = !answer;
    if (!answer) return watch_wait(late.command);
    watch_statement(late.actor, late.command, *answer);
    database_.commit(late.session);
    late_statements_.erase(late_statements_.begin() + offer.index);
    carry_on();
  }
}

void World::make(const Offer& offer) {
  const Move& move = offer.move;
  if (is_statement(move.command)) {
    apply_statement(move.actor, move.choice);
  } else if (move.command == Command::commit) {
    commit(move.actor);
  } else if (move.command == Command::send || move.command == Command::answer) {
    apply_send(move.actor, offer.index, move.choice);
  } else if (move.command == Command::time) {
    pass_time(move);
  } else if (move.actor == environment) {
    befall(offer);
  } else {
    strike(move);
  }
}

void World::apply(const Offer& offer) {
  const Move& move = offer.move;
  ++steps_;
  if (!settings_->scripted && is_fault(move.command, move.choice))
    budget_.spend(fault_of(move.command, move.choice));
  if (move.actor != environment) followed_ = move.actor;
  try {
    make(offer);
    resume_in_time();
    watch_pause();
  } catch (const AssertionBroken& assertion) {
    broken(Oracle::assertion, assertion.what());
  }
  if (!verdict_ && steps_ >= settings_->steps_max && alive_ > 0)
    broken(Oracle::liveness,
           "it has not ended after " + std::to_string(steps_) + " steps: " + what_remains());
}

}  // namespace sim
