#include "sim/trace/came_of.h"

#include <algorithm>
#include <span>

#include "core/row_state.h"
#include "sim/trace/wording.h"

namespace sim {
namespace {

using core::DbTime;

// "b1: m1 m2", "b1: m1-m5".
template <class Id>
std::string list(const std::vector<Id>& ids) {
  if (ids.size() > 3 && core::number(ids.back()) - core::number(ids.front()) + 1 == std::ssize(ids))
    return name_of(ids.front()) + "-" + name_of(ids.back());
  std::string text;
  for (const Id id : ids) text += (text.empty() ? "" : " ") + name_of(id);
  return text.empty() ? "nobody" : text;
}

class Telling {
 public:
  Telling(const World& before, const World& after, const Move& move,
          const std::vector<DatabaseCall>& calls)
      : before_(before), after_(after), move_(move), calls_(calls) {}

  CameOf tell() {
    mail();
    for (const DatabaseCall& call : calls_) answer(call);
    rows();
    if (move_.command == Command::time) what_ended();
    workers();
    return {std::move(text_), changes_};
  }

 private:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : "; ") + part; }

  // Of the database's time, on the story's clock: seconds since the start. The world begins at 0.
  std::string at(DbTime time) const {
    return seconds(time - after_.db_now() + after_.now().time_since_epoch()) + " s";
  }
  std::string at(core::Instant time) const { return seconds(time.time_since_epoch()) + " s"; }

  // ---- the provider ----

  void mail() {
    if (move_.command == Command::answer) return heard();
    const ProviderModel& was = before_.provider();
    const ProviderModel& is = after_.provider();
    if (is.requests() == was.requests()) {
      if (move_.command == Command::send) not_asked();
      return;
    }
    changes_ = true;
    const core::MemberId member{move_.subject};
    const int status = is.member(member).last_status;
    const std::string answer = status == 0 ? "no answer" : "answers " + std::to_string(status);
    if (is.deliveries() > was.deliveries()) {
      const auto mails = is.member(member).deliveries;
      add(mails == 1 ? "provider delivers, " + answer
                     : "provider delivers mail no. " + std::to_string(mails) + " to " +
                           name_of(member) + ", " + answer);
    } else if (is.repeats() > was.repeats()) {
      add("provider knows the key: no second mail, " + answer);
    } else {
      add("provider refuses, " + answer);
    }
  }

  void not_asked() {
    if (move_.choice == Choice::unavailable || move_.choice == Choice::throttled)
      return add("nothing delivered");
    if (move_.choice == Choice::never || move_.choice == Choice::unconnected) return;
    add("too late, its check, slot or lease is over: nothing is sent");
  }

  void heard() {
    for (const Flight& flight : before_.pods()[static_cast<std::size_t>(move_.actor)].flights) {
      if (core::number(flight.member) != move_.subject) continue;
      if (flight.stage != Flight::Stage::answering) continue;
      return add(std::to_string(flight.answer.status));
    }
  }

  // ---- the database's answers ----

  void answer(const DatabaseCall& call) {
    if (!std::holds_alternative<core::StoreCommand>(call.request) ||
        call.kind == DatabaseCall::Kind::commit || call.kind == DatabaseCall::Kind::rollback)
      return;
    std::string who;
    if (call.kind == DatabaseCall::Kind::went_on) who = session(call.session) + " has its lock: ";
    if (!call.answer) return add(session(call.session) + " waits for a lock");
    const std::string said = said_by(std::get<core::StoreCommand>(call.request), *call.answer);
    if (!said.empty()) add(who + said);
  }

  std::string session(SessionId session) const {
    const bool dead = session >= std::ssize(after_.pods());
    return dead ? "the dead session" : actor_name(static_cast<int>(session));
  }

  std::string said_by(const core::StoreCommand& command, const core::StoreAnswer& answer) {
    using core::StoreStatus;
    if (answer.status != StoreStatus::answered) return "the database refuses: " + answer.error;
    if (const auto* claimed = std::get_if<core::Claimed>(&answer.result))
      return got(command, *claimed);
    if (const auto* recorded = std::get_if<core::Recorded>(&answer.result)) {
      if (recorded->verdict == core::RecordVerdict::stale) return "its token is stale";
      return recorded->verdict == core::RecordVerdict::already ? "recorded already" : "";
    }
    if (const auto* planned = std::get_if<core::Planned>(&answer.result)) return found(*planned);
    if (const auto* swept = std::get_if<core::Swept>(&answer.result)) return found(*swept);
    if (const auto* skipped = std::get_if<core::Skipped>(&answer.result)) return found(*skipped);
    if (const auto* slots = std::get_if<core::SlotsReserved>(&answer.result)) return found(*slots);
    if (const auto* checked = std::get_if<core::Rechecked>(&answer.result))
      return found(std::get<core::Recheck>(command), *checked);
    if (const auto* paused = std::get_if<core::Paused>(&answer.result))
      return "the database says so until " + at(paused->until);
    if (const auto* totals = std::get_if<core::Totals>(&answer.result)) return found(*totals);
    return "";
  }

  std::string got(const core::StoreCommand& command, const core::Claimed& claimed) {
    if (claimed.halted) return "it reads that the campaign is paused";
    const bool batch = std::holds_alternative<core::ClaimBatch>(command);
    if (!claimed.found && !claimed.wake) return "there is none";
    if (!claimed.found)
      return (batch ? "no batch is free before " : "nobody is due before ") + at(*claimed.wake);
    changes_ = true;
    std::vector<core::MemberId> members;
    for (const core::ClaimedMember& member : claimed.members) members.push_back(member.id);
    const std::string who = list(members);
    if (core::number(claimed.batch) == 0) return "gets " + who;
    const auto index = static_cast<std::size_t>(core::number(claimed.batch) - 1);
    const auto& batches = before_.database().batches();
    const bool over = index < batches.size() && batches[index].state == BatchRow::State::leased &&
                      batches[index].token != after_.database().batches()[index].token;
    if (!over) return "gets " + name_of(claimed.batch) + ": " + who;
    return "takes over " + name_of(claimed.batch) + " from " + holder(*batches[index].token) +
           ": " + who;
  }

  // Who still believes that the claim is his.
  std::string holder(core::Token token) const {
    for (std::size_t i = 0; i < before_.pods().size(); ++i) {
      const Pod& pod = before_.pods()[i];
      const auto believes = [&](const core::Claim& claim) { return claim.token == token; };
      if (!pod.left && std::ranges::any_of(pod.worker.claims(), believes))
        return actor_name(static_cast<int>(i));
    }
    return "one that has ended";
  }

  std::string found(const core::Planned& planned) const {
    if (!planned.mine) return "somebody else has planned";
    const auto added = after_.database().batches().size() - before_.database().batches().size();
    return added == 0 ? "there is nobody to plan for" : "";
  }
  static std::string found(const core::Swept& swept) {
    if (!swept.mine) return "somebody else has swept";
    return swept.moved == 0 ? "there are none" : std::to_string(swept.moved) + " put into the pool";
  }
  std::string found(const core::Skipped& skipped) const {
    if (skipped.halted) return "it reads that the campaign is paused";
    if (skipped.taken > 0) return std::to_string(skipped.members) + " skipped";
    return skipped.wake ? "no lease ends before " + at(*skipped.wake) : "nobody is left";
  }
  std::string found(const core::SlotsReserved& slots) const {
    if (slots.count == 0)
      return slots.paused_until ? "all pause until " + at(*slots.paused_until) : "none";
    return std::to_string(slots.count) + " from " + at(slots.first);
  }
  static std::string found(const core::Totals& totals) {
    std::string text = std::to_string(totals.sent) + " sent";
    for (const auto& [count, name] : {std::pair{totals.failed, "failed"},
                                      {totals.unknown, "unknown"},
                                      {totals.skipped, "skipped"},
                                      {totals.opted_out, "opted out"}})
      if (count > 0) text += ", " + std::to_string(count) + " " + name;
    return text + ", " + std::to_string(totals.remaining) + " remaining";
  }
  std::string found(const core::Recheck& asked, const core::Rechecked& checked) const {
    if (checked.halted) return "it reads that the campaign is paused";
    std::vector<core::MemberId> allowed;
    for (const core::MemberId member : asked.members)
      if (std::ranges::find(checked.held_back, member) == checked.held_back.end())
        allowed.push_back(member);
    std::string text;
    if (!checked.held_back.empty()) text = list(checked.held_back) + " must not be mailed";
    if (!allowed.empty()) text += (text.empty() ? "" : ", ") + list(allowed) + " may be";
    if (text.ends_with(" may be") && checked.held_back.empty()) text += " mailed";
    if (checked.paused_until)
      text += "; it reads that all pause until " + at(*checked.paused_until);
    return text;
  }

  // ---- rows ----

  void rows() {
    const auto& members = after_.database().members();
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i < before_.database().members().size())
        row(before_.database().members()[i], members[i]);
      else
        add(name_of(members[i].id) + " joins the campaign");
    }
    const auto& was = before_.database().batches();
    const auto& is = after_.database().batches();
    if (is.size() > was.size()) {
      std::string planned;
      changes_ = true;
      for (const BatchRow& batch : std::span(is).subspan(was.size()))
        planned += (planned.empty() ? "" : ", ") + name_of(batch.id) + ": " + range(batch);
      add(planned);
    }
    for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
      if (is[i].state == was[i].state) {
        const bool recorded = move_.command == Command::record_batch &&
                              move_.subject == core::number(is[i].id) && changes_ &&
                              is[i].state == BatchRow::State::leased;
        if (recorded) add(name_of(is[i].id) + " stays claimed");
        continue;
      }
      changes_ = true;
      if (is[i].state == BatchRow::State::open) add(name_of(is[i].id) + " is free again");
      if (is[i].state == BatchRow::State::done) add(name_of(is[i].id) + " is done");
    }
  }

  static std::string range(const BatchRow& batch) {
    if (batch.first == batch.last) return name_of(batch.first);
    return name_of(batch.first) + "-" + name_of(batch.last);
  }

  void row(const MemberRow& was, const MemberRow& is) {
    if (is == was) return;
    changes_ = true;
    const std::string member = name_of(is.id);
    if (is.state != was.state) {
      std::string before;
      if (was.state != core::RowState::pending) before = ", was " + std::string(name_of(was.state));
      add(member + " is recorded " + std::string(name_of(is.state)) + before);
    } else if (is.not_before && is.not_before != was.not_before) {
      add(member + " is to be tried again at " + at(*is.not_before));
    }
    if (was.opted_out_at && !is.opted_out_at) add(member + " withdraws the opt-out");
  }

  // ---- time and processes ----

  void what_ended() {
    const core::Instant was = before_.now(), is = after_.now();
    add(seconds(is - was) + " s pass");
    std::string ended;
    for (const BatchRow& batch : after_.database().batches())
      if (batch.state == BatchRow::State::leased && just_ended(batch.lease_until))
        ended += " " + name_of(batch.id);
    for (const MemberRow& member : after_.database().members())
      if (just_ended(member.retry_lease_until)) ended += " " + name_of(member.id);
    if (!ended.empty()) add("the lease of" + ended + " ends");
    if (before_.database().campaign().paused && !after_.database().campaign().paused)
      add("the campaign goes on");
    for (std::size_t i = 0; i < after_.pods().size(); ++i) {
      const core::Instant until = before_.pods()[i].frozen_until;
      if (!before_.pods()[i].left && was < until && until <= is)
        add(actor_name(static_cast<int>(i)) + " goes on");
    }
  }

  bool just_ended(const std::optional<DbTime>& lease) const {
    return lease && before_.db_now() < *lease && *lease <= after_.db_now();
  }

  void workers() {
    for (std::size_t i = 0; i < after_.pods().size(); ++i) {
      const int actor = static_cast<int>(i);
      const Pod& is = after_.pods()[i];
      if (i >= before_.pods().size()) {
        add("it is " + actor_name(actor));
        changes_ = true;
        continue;
      }
      const Pod& was = before_.pods()[i];
      changes_ = changes_ || is.left != was.left || is.incarnation != was.incarnation;
      if (is.left && !was.left) add(actor_name(actor) + " leaves");
      if (is.incarnation != was.incarnation)
        add(actor_name(actor) + (move_.command == Command::kill ? " is started again"
                                                                : " leaves and is started again"));
      if (move_.command == Command::freeze && move_.actor == actor)
        add("until " + at(is.frozen_until));
    }
  }

  const World& before_;
  const World& after_;
  const Move& move_;
  const std::vector<DatabaseCall>& calls_;
  std::string text_;
  bool changes_ = false;
};

}  // namespace

CameOf came_of(const World& before, const World& after, const Move& move,
               const std::vector<DatabaseCall>& calls) {
  return Telling(before, after, move, calls).tell();
}

}  // namespace sim
