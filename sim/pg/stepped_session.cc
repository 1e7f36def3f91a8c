#include "sim/pg/stepped_session.h"

#include <stdexcept>
#include <utility>

#include "core/assert.h"
#include "embedded/sim_pg/statements.h"

namespace sim::pg {
namespace {

using core::pg::Result;
using namespace std::chrono_literals;

constexpr core::Duration between_questions = 100us;

core::Duration before_asking(Expected expected) {
  switch (expected) {
    case Expected::done:
      return 20ms;
    case Expected::waits:
      return between_questions;
    case Expected::deadlock:
      return 10s;
  }
  return {};
}

std::string processes(const std::vector<int>& all) {
  std::string text = "{";
  for (const int process : all) {
    if (text.size() > 1) text += ',';
    text += std::to_string(process);
  }
  return text + '}';
}

void needs_success(const Result& result) {
  if (!result.sqlstate.empty()) throw std::runtime_error(result.error);
}

}  // namespace

bool Observer::is_blocked(int process, const std::vector<int>& by) {
  const Result result = connection_.run({"is_blocked", statements::is_blocked},
                                        {std::to_string(process), processes(by)});
  needs_success(result);
  return result.rows.at(0).at(0) == "t";
}

void Observer::await_end(int process, bool blocked) {
  const std::string number = std::to_string(process);
  if (blocked) needs_success(connection_.run({"end_session", statements::end_session}, {number}));
  for (;;) {
    const Result result = connection_.run({"is_connected", statements::is_connected}, {number});
    needs_success(result);
    if (result.rows.at(0).at(0) == "0") return;
  }
}

void Observer::cancel(int process) {
  needs_success(connection_.run({"cancel", statements::cancel}, {std::to_string(process)}));
}

SteppedSession::SteppedSession(std::string dsn, Observer& observer)
    : dsn_(std::move(dsn)), observer_(&observer), connection_(dsn_) {}

// What a rollback may have undone is said again.
void SteppedSession::forget() {
  told_.clear();
  looks_ = false;
}

std::optional<Result> SteppedSession::start(const core::pg::Call& call, core::DbTime now,
                                            Ending ending, const std::vector<int>& others,
                                            Expected expected) {
  ASSERT(!waiting_);
  ending_ = ending;
  if (!open_ && ending == Ending::held) {
    connection_->add_control("begin");
    open_ = true;
  }
  add(call, now, expected == Expected::deadlock);
  waiting_ = true;
  return done_or_blocked(others, before_asking(expected));
}

void SteppedSession::add(const core::pg::Call& call, core::DbTime now, bool looks) {
  const std::string time = std::to_string(now.time_since_epoch().count());
  if (told_ != time) connection_->add({"tell_time", statements::tell_time}, {time});
  told_ = time;
  if (looks != looks_) {
    connection_->add({"look_for_deadlocks", statements::look_for_deadlocks},
                     {looks ? "1ms" : std::string(does_not_look)});
  }
  looks_ = looks;
  connection_->add(call.statement, call.params);
  connection_->send();
}

void SteppedSession::send(const core::pg::Call& call, core::DbTime now) {
  ASSERT(!waiting_ && !open_);
  add(call, now, false);
}

Result SteppedSession::receive() {
  Result result = std::move(connection_->await_results().back());
  if (!result.sqlstate.empty()) forget();
  return result;
}

std::optional<Result> SteppedSession::carry_on(const std::vector<int>& others, bool ask) {
  ASSERT(waiting_);
  if (ask) return done_or_blocked(others, core::Duration(0));
  return take(connection_->results(core::Duration(0)));
}

// Waits that long before it asks for the first time.
std::optional<Result> SteppedSession::done_or_blocked(const std::vector<int>& others,
                                                      core::Duration patience) {
  for (;;) {
    if (auto result = take(connection_->results(patience))) return result;
    if (observer_->is_blocked(process(), others)) return std::nullopt;
    patience = between_questions;
  }
}

std::optional<Result> SteppedSession::take(std::optional<std::vector<Result>> results) {
  if (!results) return std::nullopt;
  waiting_ = false;
  Result result = std::move(results->back());
  if (!result.sqlstate.empty()) rollback();
  return result;
}

void SteppedSession::end(const char* how) {
  ASSERT(!waiting_);
  if (!open_) return;
  connection_->add_control(how);
  connection_->send();
  connection_->await_results();
  open_ = false;
}

void SteppedSession::cancel() {
  ASSERT(waiting_);
  observer_->cancel(process());
  connection_->await_results();
  waiting_ = false;
  rollback();
}

void SteppedSession::abandon() {
  if (waiting_) cancel();
  while (sent() > 0) receive();
  if (open_) rollback();
}

void SteppedSession::disconnect() {
  const int left = process();
  connection_.reset();
  observer_->await_end(left, waiting_);
  connection_.emplace(dsn_);
  open_ = waiting_ = false;
  forget();
}

}  // namespace sim::pg
