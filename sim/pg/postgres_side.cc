#include "sim/pg/postgres_side.h"

#include <stdexcept>
#include <utility>

#include "embedded/sim_pg/statements.h"
#include "sim/pg/text.h"

namespace sim::pg {
namespace {

using core::pg::Call;
using core::pg::Result;
using Kind = Step::Kind;

constexpr std::size_t sessions_most = 4;
constexpr std::int64_t cleared_every = 150;  // campaigns

// Nothing that bears on what statements do.
constexpr std::string_view session_options =
    "-c jit=off -c synchronous_commit=off -c track_activities=off -c track_counts=off"
    " -c pg_stat_statements.track=none";

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
  static std::string id(core::MemberId member) { return std::to_string(core::number(member)); }
};

void needs_success(const Result& result) {
  if (!result.sqlstate.empty()) throw std::runtime_error(result.error);
}

}  // namespace

SteppedDatabase::SteppedDatabase(std::string dsn)
    : dsn_(std::move(dsn)), observer_(with_options(dsn_, "")) {
  needs_success(beside().run({"tell_time", statements::tell_time}, {"0", "1s"}));
}

std::string SteppedDatabase::new_campaign(const Schedule& schedule) {
  if (++campaigns_ % cleared_every == 0)
    needs_success(beside().run({"forget_campaigns", statements::forget_campaigns}, {}));
  const std::string name = "stepped" + std::to_string(campaigns_);
  std::string priorities = "{";
  for (const int priority : schedule.priorities) {
    if (priorities.size() > 1) priorities += ',';
    priorities += std::to_string(priority);
  }
  const std::int64_t rate = schedule.policy.rate_per_s;
  const std::int64_t interval_us = rate == 0 ? 0 : (1'000'000 + rate - 1) / rate;
  needs_success(beside().run({"new_campaign", statements::new_campaign},
                             {name, priorities + '}', std::to_string(interval_us)}));
  return name;
}

std::vector<SteppedSession>& SteppedDatabase::sessions(std::size_t planner) {
  std::vector<SteppedSession>& sessions = sessions_[planner];
  while (sessions.size() < sessions_most) {
    sessions.emplace_back(with_options(dsn_, planner_settings()[planner].options), observer_);
  }
  return sessions;
}

PostgresSide::PostgresSide(SteppedDatabase& database, const Schedule& schedule,
                           MutantStatement* mutant)
    : database_(database),
      mutant_(mutant),
      sessions_(database.sessions(schedule.planner)),
      asked_(static_cast<std::size_t>(schedule.sessions)) {
  for (SteppedSession& session : sessions_) {  // what a schedule that was given up has left
    if (session.waiting()) session.disconnect();
    if (session.open()) session.rollback();
  }
  context_.campaign = context_.provider = database.new_campaign(schedule);
  context_.policy = schedule.policy;
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

std::vector<int> PostgresSide::others(SessionId session) const {
  std::vector<int> processes;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (i != static_cast<std::size_t>(session)) processes.push_back(sessions_[i].process());
  }
  return processes;
}

std::string PostgresSide::play(const Step& step, Expected expected) {
  std::string said = "done";
  SteppedSession& session = sessions_[static_cast<std::size_t>(step.session)];
  if (session.waiting() && !can_wait(step.kind)) return "waits still";
  switch (step.kind) {
    case Kind::at_once:
    case Kind::held:
      said = request(step, expected);
      break;
    case Kind::commit:
      session.commit();
      break;
    case Kind::rollback:
      session.rollback();
      break;
    case Kind::disconnect:
      session.disconnect();
      break;
    case Kind::add_member:
      needs_success(database_.beside().run({"add_member", statements::add_member},
                                           {context_.campaign, std::to_string(step.priority)}));
      break;
  }
  const bool is_request = step.kind == Kind::at_once || step.kind == Kind::held;
  return said + carried_on(!is_request || expected == Expected::deadlock);
}

std::string PostgresSide::request(const Step& step, Expected expected) {
  const auto index = static_cast<std::size_t>(step.session);
  asked_[index] = step.request;
  const auto ending = step.kind == Kind::at_once ? Ending::at_once : Ending::held;
  const auto result =
      sessions_[index].start(call(step.request), step.now, ending, others(step.session), expected);
  return result ? "done: " + said(step.request, *result) : "waits";
}

// ask: something was released.
std::string PostgresSide::carried_on(bool ask) {
  std::string all;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (!sessions_[i].waiting()) continue;
      const auto number = static_cast<SessionId>(i);
      const auto result = sessions_[i].carry_on(others(number), ask);
      if (!result) continue;
      all += "; session " + std::to_string(number) + " goes on: " + said(asked_[i], *result);
      again = ask = true;
    }
  }
  return all;
}

std::string PostgresSide::rows() {
  Connection& beside = database_.beside();
  beside.add({"member_rows", statements::member_rows}, {context_.campaign});
  beside.add({"batch_rows", statements::batch_rows}, {context_.campaign});
  beside.add({"shared_rows", statements::shared_rows}, {context_.campaign});
  beside.send();
  std::optional<std::vector<Result>> results;
  while (!results) results = beside.results(std::chrono::seconds(10));
  std::string all;
  for (const Result& result : *results) {
    needs_success(result);
    for (const core::pg::Row& row : result.rows) all += text(row) + '\n';
  }
  return all;
}

}  // namespace sim::pg
