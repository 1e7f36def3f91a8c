// What becomes of a statement: done at once, held in its transaction, waiting for a lock, lost, or
// landing after its sender's end.
#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "sim/world/world.h"

namespace sim {

void World::outlive(int actor, const core::StoreCommand& command) {
  // In a script, the script says when.
  const core::Instant until =
      settings_->scripted ? core::Instant::max() : now_ + settings_->policy.statement_timeout;
  late_statements_.push_back({command, until, actor, ++late_sessions_, false});
}

bool World::transactions_open() const {
  return std::any_of(pods_.begin(), pods_.end(),
                     [](const Pod& p) { return p.running.has_value(); });
}

void World::log_calls(std::vector<DatabaseCall>* calls) {
  calls_ = calls;
}

// Requires: somebody listens.
void World::note(DatabaseCall::Kind kind, SessionId session, ModelDatabase::Request request,
                 std::optional<core::StoreAnswer> answer) const {
  calls_->push_back({kind, session, std::move(request), db_now(), std::move(answer)});
}

void World::roll_back(SessionId session) {
  database_.rollback(session);
  if (calls_ != nullptr) note(DatabaseCall::Kind::rollback, session);
}

// Nothing: it waits for a lock.
std::optional<core::StoreAnswer> World::execute(int actor, const core::StoreCommand& command) {
  if (!transactions_open()) {
    if (budget_.allows(Fault::database_crash)) before_last_ = database_;
    core::StoreAnswer answer = database_.execute(command, db_now());
    if (calls_ != nullptr) note(DatabaseCall::Kind::at_once, actor, command, answer);
    watch_statement(actor, command, answer);
    return answer;
  }
  auto answer = database_.run(actor, command, db_now());
  if (calls_ != nullptr) note(DatabaseCall::Kind::at_once, actor, command, answer);
  if (!answer) {
    watch_wait(command);
    return std::nullopt;
  }
  watch_statement(actor, command, *answer);
  return answer;
}

void World::apply_statement(int actor, Choice choice) {
  const core::StoreCommand command = std::move(*pods_[static_cast<std::size_t>(actor)].asked);
  pods_[static_cast<std::size_t>(actor)].asked.reset();
  core::StoreAnswer answer;
  answer.status =
      choice == Choice::undone ? core::StoreStatus::not_done : core::StoreStatus::in_doubt;
  if (choice == Choice::ghost) outlive(actor, command);
  if (choice == Choice::held) {
    Pod& pod = pods_[static_cast<std::size_t>(actor)];
    pod.uncommitted = database_.run(actor, command, db_now());
    if (calls_ != nullptr) note(DatabaseCall::Kind::held, actor, command, pod.uncommitted);
    pod.running = command;
    pod.running_since = now_;
    if (pod.uncommitted) watch_statement(actor, command, *pod.uncommitted);
    if (!pod.uncommitted) watch_wait(command);
    return;
  }
  if (choice == Choice::done || choice == Choice::lost_done) {
    auto done = execute(actor, command);
    if (!done) {
      pods_[static_cast<std::size_t>(actor)].running = command;
      pods_[static_cast<std::size_t>(actor)].running_since = now_;
      return;
    }
    if (choice == Choice::done) answer = std::move(*done);
    database_.commit(actor);
  }
  if (std::exchange(holds_answer_, false)) {
    // It is committed or was never done: the commit that its process moves by only lets it hear.
    pods_[static_cast<std::size_t>(actor)].running = command;
    pods_[static_cast<std::size_t>(actor)].uncommitted = std::move(answer);
  } else if (!verdict_) {
    hear(actor, command, std::move(answer));
  }
  carry_on();
}

void World::commit(int actor) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  const core::StoreCommand command = std::move(*pod.running);
  core::StoreAnswer answer = std::move(*pod.uncommitted);
  pod.running.reset();
  pod.uncommitted.reset();
  database_.commit(actor);
  if (calls_ != nullptr) note(DatabaseCall::Kind::commit, actor);
  hear(actor, command, std::move(answer));
  carry_on();
}

// Those who waited for a lock and have it now.
void World::carry_on() {
  for (bool again = true; again && !verdict_;) {
    again = false;
    for (int actor = 0; actor < static_cast<int>(pods_.size()); ++actor) {
      Pod& pod = pods_[static_cast<std::size_t>(actor)];
      if (!pod.waiting()) continue;
      auto answer = database_.woken(actor);
      if (!answer) continue;
      if (calls_ != nullptr) note(DatabaseCall::Kind::went_on, actor, *pod.running, answer);
      watch_statement(actor, *pod.running, *answer);
      pod.uncommitted = std::move(answer);
      commit(actor);
      again = true;
    }
    for (std::size_t i = late_statements_.size(); i-- > 0;) {
      const LateStatement late = late_statements_[i];
      const auto answer = late.waiting ? database_.woken(late.session) : std::nullopt;
      if (!answer) continue;
      if (calls_ != nullptr) note(DatabaseCall::Kind::went_on, late.session, late.command, answer);
      late_statements_.erase(late_statements_.begin() + static_cast<std::ptrdiff_t>(i));
      watch_statement(late.actor, late.command, *answer);
      database_.commit(late.session);
      again = true;
    }
  }
}

void World::end_long_wait(int actor) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (!ready(pod) || !pod.waiting()) return;
  if (now_ - pod.running_since < settings_->policy.statement_timeout) return;
  roll_back(actor);
  const core::StoreCommand command = std::move(*pod.running);
  pod.running.reset();
  core::StoreAnswer answer;
  answer.status = core::StoreStatus::not_done;
  hear(actor, command, std::move(answer));
}

void World::hear(int actor, const core::StoreCommand& command, core::StoreAnswer answer) {
  const PlantedBug* bug = settings_->bug;
  if (bug != nullptr && bug->answer != nullptr)
    bug->answer(pods_[static_cast<std::size_t>(actor)].sabotage, command, answer);
  tell(actor, answer);
}

}  // namespace sim
