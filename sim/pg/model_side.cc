#include "sim/pg/model_side.h"

#include "sim/pg/text.h"

namespace sim::pg {

using core::StoreAnswer;
using Kind = Step::Kind;

ModelSide::ModelSide(const Schedule& schedule)
    : model_(schedule.policy, std::ssize(schedule.priorities)),
      sessions_(static_cast<std::size_t>(schedule.sessions)) {
  model_.set_priorities(schedule.priorities);
  if (schedule.not_after) model_.set_not_after(*schedule.not_after);
}

std::string ModelSide::play(const Step& step) {
  answers_.clear();
  came_of_it_ = Expected::done;
  std::string said = "done";
  Session& session = sessions_[static_cast<std::size_t>(step.session)];
  if (model_.waiting(step.session) && !can_wait(step.kind)) return "waits still";
  switch (step.kind) {
    case Kind::at_once:
    case Kind::held:
      session = {step.kind, step.request};
      if (const auto answer = model_.run(step.session, step.request, step.now)) {
        if (answer->error == "40P01") came_of_it_ = Expected::deadlock;
        answered(step.session, *answer);
        said += ": " + text(*answer);
      } else {
        came_of_it_ = Expected::waits;
        said = "waits";
      }
      break;
    case Kind::commit:
      model_.commit(step.session);
      break;
    case Kind::rollback:
    case Kind::disconnect:
      model_.rollback(step.session);
      break;
    case Kind::add_member:
      model_.execute(AddMember{step.priority}, step.now);
      break;
  }
  return said + carried_on();
}

void ModelSide::answered(SessionId number, const StoreAnswer& answer) {
  const Session& session = sessions_[static_cast<std::size_t>(number)];
  answers_.emplace_back(session.request, answer);
  if (session.ending == Kind::at_once) model_.commit(number);
}

std::string ModelSide::carried_on() {
  std::string said;
  for (bool again = true; again;) {
    again = false;
    for (SessionId number = 0; number < std::ssize(sessions_); ++number) {
      const auto answer = model_.woken(number);
      if (!answer) continue;
      answered(number, *answer);
      said += "; session " + std::to_string(number) + " goes on: " + text(*answer);
      again = true;
    }
  }
  return said;
}

std::string rows_of(const ModelDatabase& model) {
  std::string all;
  for (const MemberRow& row : model.members()) all += text(row) + '\n';
  for (const BatchRow& row : model.batches()) all += text(row) + '\n';
  return all + text(model.campaign(), model.provider()) + '\n';
}

}  // namespace sim::pg
