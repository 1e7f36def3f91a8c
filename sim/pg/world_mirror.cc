#include "sim/pg/world_mirror.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "fmt/format.h"
#include "sim/pg/model_side.h"
#include "sim/pg/text.h"

namespace sim::pg {
namespace {

using Kind = DatabaseCall::Kind;

constexpr std::size_t sent_most = 64;
constexpr std::size_t told_most = 60;  // calls before a difference

Step::Kind step_kind(Kind kind) {
  switch (kind) {
    case Kind::at_once:
      return Step::Kind::at_once;
    case Kind::held:
      return Step::Kind::held;
    case Kind::commit:
      return Step::Kind::commit;
    case Kind::rollback:
      return Step::Kind::rollback;
    case Kind::went_on:
      break;
  }
  ASSERT(false && "it has no call of its own");
}

bool is_request(const DatabaseCall& call) {
  return call.kind == Kind::at_once || call.kind == Kind::held;
}

std::string said_by_model(const DatabaseCall& call) {
  if (!is_request(call)) return "done";
  return call.answer ? "done: " + text(*call.answer) : "waits";
}

Expected expected_of(const DatabaseCall& call) {
  if (!is_request(call)) return Expected::done;
  if (!call.answer) return Expected::waits;
  return call.answer->error == "40P01" ? Expected::deadlock : Expected::done;
}

// The claim's limit left somebody out, it seems: with whom it is not said.
const core::Claimed* full_retry_claim(const DatabaseCall& call) {
  const auto* command = std::get_if<core::StoreCommand>(&call.request);
  if (command == nullptr || !is_request(call) || !call.answer) return nullptr;
  const auto* retries = std::get_if<core::ClaimRetries>(command);
  const auto* claimed = std::get_if<core::Claimed>(&call.answer->result);
  if (retries == nullptr || claimed == nullptr || !claimed->found) return nullptr;
  return std::ssize(claimed->members) >= retries->limit ? claimed : nullptr;
}

bool cannot_fail(const DatabaseCall& call) {
  return call.kind == Kind::at_once && call.answer &&
         call.answer->status == core::StoreStatus::answered && full_retry_claim(call) == nullptr;
}

// Of two texts of lines, the first that differs.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  std::size_t line = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
    if (a[i] == '\n') line = i + 1;
  }
  const auto cut = [line](const std::string& all) {
    return line < all.size() ? all.substr(line, all.find('\n', line) - line) : "no more rows";
  };
  return {cut(a), cut(b)};
}

}  // namespace

WorldMirror::WorldMirror(SteppedDatabase& database, const Setup& setup, MutantStatement* mutant)
    : postgres_(database, setup, mutant) {}

std::optional<std::string> WorldMirror::follow(std::span<const DatabaseCall> calls) {
  for (std::size_t i = 0; i < calls.size();) {
    const DatabaseCall& call = calls[i++];
    std::string expected = said_by_model(call);
    for (; i < calls.size() && calls[i].kind == Kind::went_on; ++i)
      expected += fmt::format("; session {} goes on: {}", calls[i].session, text(*calls[i].answer));
    if (auto found = ask(call, expected)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> WorldMirror::ask(const DatabaseCall& call, const std::string& expected) {
  const bool ahead = cannot_fail(call) && postgres_.all_closed();
  if (auto found = receive(!ahead ? 0 : postgres_.sent() < sent_most ? sent_most : sent_most / 2))
    return found;
  ++steps_;
  const Step& step =
      last_.emplace_back(Step{step_kind(call.kind), call.session, call.request, call.now});
  if (last_.size() > told_most + sent_most) last_.pop_front();
  if (ahead) {
    postgres_.send(step);
    expected_.push_back(expected);
    return std::nullopt;
  }
  const core::Claimed* full = full_retry_claim(call);
  if (full != nullptr) postgres_.hold_ties(full->members);
  const std::string said = postgres_.play(step, expected_of(call));
  if (full != nullptr) postgres_.let_ties_go();
  if (said != expected) return difference(0, expected, said);
  return std::nullopt;
}

// Until so many are left that were sent and not received.
std::optional<std::string> WorldMirror::receive(std::size_t left) {
  while (postgres_.sent() > left) {
    const std::string said = postgres_.receive();
    const std::string expected = std::move(expected_.front());
    expected_.pop_front();
    if (said != expected) return difference(postgres_.sent(), expected, said);
  }
  return std::nullopt;
}

std::optional<std::string> WorldMirror::compare_rows(const ModelDatabase& model) {
  if (auto found = receive(0)) return found;
  const std::string expected = rows_of(model);
  const std::string rows = postgres_.rows();
  if (rows == expected) return std::nullopt;
  const auto [ours, theirs] = first_difference(expected, rows);
  return difference(0, "has the row " + ours, "has the row " + theirs);
}

// back: how many calls were sent after it.
std::string WorldMirror::difference(std::size_t back, const std::string& model,
                                    const std::string& postgres) {
  std::string all;
  const std::size_t end = last_.size() - back;
  for (std::size_t i = end > told_most ? end - told_most : 0; i < end; ++i)
    all += fmt::format("call {:2} {}\n", steps_ - std::ssize(last_) + static_cast<std::int64_t>(i),
                       text(last_[i]));
  return all + "model:      " + model + "\nPostgreSQL: " + postgres + '\n';
}

}  // namespace sim::pg
