#include "sim/pg/postgres_side.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/assert.h"
#include "embedded/sim_pg/statements.h"
#include "sim/pg/text.h"

namespace sim::pg {
namespace {

using core::pg::Call;
using core::pg::Result;
using Kind = Step::Kind;

constexpr std::int64_t cleared_every = 150;  // campaigns

// Nothing that bears on what statements do.
constexpr std::string_view session_options =
    "-c jit=off -c synchronous_commit=off -c track_activities=off -c track_counts=off"
    " -c update_process_title=off -c pg_stat_statements.track=none";

std::string with_options(const std::string& dsn, std::string_view more) {
  return dsn + " options='" + std::string(session_options) + ' ' + std::string(more) + "'";
}

struct BystanderCall {
  const std::string& campaign;

  Call operator()(const OptOut& b) const {
    return {{"opt_out", statements::opt_out}, {campaign, id(b.member)}};
  }
  Call operator()(const WithdrawOptOut& b) const {
    return {{"withdraw_opt_out", statements::withdraw_opt_out}, {campaign, id(b.member)}};
  }
  Call operator()(const Suppress& b) const {
    return {{"suppress", statements::suppress}, {campaign, id(b.member)}};
  }
  Call operator()(const RetryNow& b) const {
    return {{"retry_now", statements::retry_now}, {campaign, id(b.member)}};
  }
  Call operator()(const PauseCampaign& b) const {
    return {{"pause_campaign", statements::pause_campaign}, {campaign, b.paused ? "t" : "f"}};
  }
  Call operator()(const AddMember& b) const {
    return {{"add_member", statements::add_member}, {campaign, std::to_string(b.priority)}};
  }
  static std::string id(core::MemberId member) { return std::to_string(core::number(member)); }
};

void needs_success(const Result& result) {
  if (!result.sqlstate.empty()) throw std::runtime_error(result.error);
}

}  // namespace

SteppedDatabase::SteppedDatabase(std::string dsn)
    : dsn_(std::move(dsn)), observer_(with_options(dsn_, "")) {
  needs_success(beside().run({"tell_time", statements::tell_time}, {"0"}));
}

std::string SteppedDatabase::new_campaign(const Setup& setup) {
  if (++campaigns_ % cleared_every == 0)
    needs_success(beside().run({"forget_campaigns", statements::forget_campaigns}, {}));
  const std::string name = "stepped" + std::to_string(campaigns_);
  std::string priorities = "{";
  for (const int priority : setup.priorities) {
    if (priorities.size() > 1) priorities += ',';
    priorities += std::to_string(priority);
  }
  const std::int64_t rate = setup.policy.rate_per_s;
  const std::int64_t interval_us = rate == 0 ? 0 : (1'000'000 + rate - 1) / rate;
  const std::string not_after_us =
      setup.not_after ? std::to_string(setup.not_after->time_since_epoch().count()) : "";
  needs_success(beside().run({"new_campaign", statements::new_campaign},
                             {name, priorities + '}', std::to_string(interval_us), not_after_us}));
  return name;
}

SteppedSession& SteppedDatabase::session(std::size_t planner, std::size_t number) {
  std::deque<SteppedSession>& sessions = sessions_[planner];
  const std::string options = std::string(planner_settings()[planner].options) +
                              " -c deadlock_timeout=" + std::string(SteppedSession::does_not_look);
  while (sessions.size() <= number) sessions.emplace_back(with_options(dsn_, options), observer_);
  return sessions[number];
}

void SteppedDatabase::abandon_all(std::size_t planner) {
  for (SteppedSession& session : sessions_[planner]) session.abandon();
}

PostgresSide::PostgresSide(SteppedDatabase& database, const Setup& setup, MutantStatement* mutant)
    : database_(database), mutant_(mutant), planner_(setup.planner) {
  database.abandon_all(planner_);
  context_.campaign = context_.provider = database.new_campaign(setup);
  context_.policy = setup.policy;
}

// The session's, or the first that is free, which is its own from now on.
std::size_t PostgresSide::seat_of(SessionId session) {
  std::size_t free = seats_.size();
  for (std::size_t i = seats_.size(); i-- > 0;) {
    if (seats_[i].taken_by == session) return i;
    if (!seats_[i].taken_by) free = i;
  }
  if (free == seats_.size()) seats_.emplace_back();
  seats_[free].taken_by = session;
  return free;
}

void PostgresSide::clear_seats() {
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (!in(i).open() && !in(i).waiting()) seats_[i].taken_by.reset();
  }
}

bool PostgresSide::all_closed() const {
  return std::none_of(seats_.begin(), seats_.end(),
                      [](const Seat& seat) { return seat.taken_by.has_value(); });
}

Call PostgresSide::call(const ModelDatabase::Request& request) const {
  if (const auto* command = std::get_if<core::StoreCommand>(&request)) {
    Call ours = core::pg::encode(*command, context_);
    if (mutant_ != nullptr) mutant_->apply(ours);
    return ours;
  }
  return std::visit(BystanderCall{context_.campaign}, std::get<Bystander>(request));
}

std::string PostgresSide::said(const ModelDatabase::Request& request, const Result& result) const {
  core::StoreAnswer answer;
  if (!result.sqlstate.empty()) {
    answer = core::pg::failure(result);
    answer.error = result.sqlstate;
  } else if (const auto* command = std::get_if<core::StoreCommand>(&request)) {
    answer = core::pg::decode(*command, result.rows).answer;
  }
  return text(answer);
}

// Whom it can wait for.
std::vector<int> PostgresSide::others(std::size_t seat) {
  std::vector<int> processes;
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (i != seat && seats_[i].taken_by) processes.push_back(in(i).process());
  }
  if (holds_ties_) processes.push_back(database_.beside().process());
  return processes;
}

std::string PostgresSide::play(const Step& step, Expected expected) {
  std::string said = "done";
  const std::size_t seat = seat_of(step.session);
  SteppedSession& session = in(seat);
  if (session.waiting() && !can_wait(step.kind)) return "waits still";
  switch (step.kind) {
    case Kind::at_once:
    case Kind::held:
      said = request(seat, step, expected);
      break;
    case Kind::commit:
      session.commit();
      break;
    case Kind::rollback:
      if (session.waiting()) session.cancel();
      session.rollback();
      break;
    case Kind::disconnect:
      session.disconnect();
      break;
    case Kind::add_member:
      add_member(step.priority);
      break;
  }
  const bool is_request = step.kind == Kind::at_once || step.kind == Kind::held;
  said += carried_on(!is_request || expected == Expected::deadlock);
  clear_seats();
  return said;
}

std::string PostgresSide::request(std::size_t seat, const Step& step, Expected expected) {
  seats_[seat].asked = step.request;
  const auto ending = step.kind == Kind::at_once ? Ending::at_once : Ending::held;
  const auto result = in(seat).start(call(step.request), step.now, ending, others(seat), expected);
  return result ? "done: " + said(step.request, *result) : "waits";
}

// ask: something was released.
std::string PostgresSide::carried_on(bool ask) {
  std::string all;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      if (!in(i).waiting()) continue;
      const auto result = in(i).carry_on(others(i), ask);
      if (!result) continue;
      all += "; session " + std::to_string(seats_[i].taken_by.value()) +
             " goes on: " + said(seats_[i].asked, *result);
      again = ask = true;
    }
  }
  return all;
}

void PostgresSide::send(const Step& step) {
  ASSERT(all_closed() && step.kind == Kind::at_once);
  in(0).send(call(step.request), step.now);
  sent_.push_back(step.request);
}

std::string PostgresSide::receive() {
  const Result result = in(0).receive();
  const ModelDatabase::Request request = std::move(sent_.front());
  sent_.pop_front();
  return "done: " + said(request, result);
}

void PostgresSide::hold_ties(const std::vector<core::ClaimedMember>& claimed) {
  std::vector<core::MemberId> members;
  for (const core::ClaimedMember& member : claimed) members.push_back(member.id);
  Connection& beside = database_.beside();
  beside.add_control("begin");
  beside.add({"hold_ties", statements::hold_ties},
             {context_.campaign, core::pg::array_of(members)});
  beside.send();
  needs_success(beside.await_results().back());
  holds_ties_ = true;
}

void PostgresSide::let_ties_go() {
  database_.beside().add_control("rollback");
  database_.beside().send();
  database_.beside().await_results();
  holds_ties_ = false;
}

void PostgresSide::add_member(int priority) {
  const Call call = BystanderCall{context_.campaign}(AddMember{priority});
  needs_success(database_.beside().run(call.statement, call.params));
}

std::string PostgresSide::rows() {
  Connection& beside = database_.beside();
  beside.add({"member_rows", statements::member_rows}, {context_.campaign});
  beside.add({"batch_rows", statements::batch_rows}, {context_.campaign});
  beside.add({"shared_rows", statements::shared_rows}, {context_.campaign});
  beside.send();
  std::string all;
  for (const Result& result : beside.await_results()) {
    needs_success(result);
    for (const core::pg::Row& row : result.rows) all += text(row) + '\n';
  }
  return all;
}

}  // namespace sim::pg
