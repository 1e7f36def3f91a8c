#include "sim/trace/story.h"

#include <algorithm>

#include "core/assert.h"

namespace sim {
namespace {

class Difference {
 public:
  Difference(const World& before, const World& after, const Move& move)
      : before_(before), after_(after), move_(move) {}

  std::string text() {
    mail();
    rows();
    fenced();
    workers();
    if (after_.verdict())
      add(std::string(text_of(after_.verdict()->oracle).name) + ": " + after_.verdict()->what);
    return std::move(text_);
  }

 private:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : "; ") + part; }
  static std::string name(core::MemberId id) { return "m" + std::to_string(core::number(id)); }
  static std::string name(core::BatchId id) { return "b" + std::to_string(core::number(id)); }
  static std::string name(int actor) { return "w" + std::to_string(actor + 1); }

  static std::string_view name(core::RowState state) {
    switch (state) {
      case core::RowState::pending:
        return "pending";
      case core::RowState::sent:
        return "sent";
      case core::RowState::failed:
        return "failed";
      case core::RowState::unknown:
        return "unknown";
      case core::RowState::skipped:
        return "skipped";
    }
    return "";
  }

  void mail() {
    const ProviderModel& was = before_.provider();
    const ProviderModel& is = after_.provider();
    if (is.requests() == was.requests()) return;
    const core::MemberId member{move_.subject};
    const int status = is.member(member).last_status;
    const std::string answer = status == 0 ? "no answer" : std::to_string(status);
    if (is.deliveries() > was.deliveries()) {
      add("provider delivers, " + answer);
      const auto mails = is.member(member).deliveries;
      if (mails > 1) add("the member's mail no. " + std::to_string(mails));
    } else if (is.repeats() > was.repeats()) {
      add("provider knows the key, no second mail, " + answer);
    } else {
      add("provider refuses, " + answer);
    }
  }

  void rows() {
    const auto& members = after_.database().members();
    for (std::size_t i = 0; i < members.size(); ++i)
      row(before_.database().members()[i], members[i]);
    const auto& was = before_.database().batches();
    const auto& is = after_.database().batches();
    if (is.size() > was.size()) add("plans " + std::to_string(is.size() - was.size()) + " batches");
    for (std::size_t i = 0; i < was.size(); ++i) {
      if (is[i].state != was[i].state) {
        add(name(is[i].id) + " " + name_of(was[i].state) + " -> " + name_of(is[i].state));
      } else if (is[i].token != was[i].token && is[i].token) {
        add(name(is[i].id) + " leased anew");
      }
    }
  }

  void row(const MemberRow& was, const MemberRow& is) {
    const std::string member = name(is.id);
    if (is.state != was.state) {
      add(member + " " + std::string(name(was.state)) + " -> " + std::string(name(is.state)));
    } else if (is.not_before && is.not_before != was.not_before) {
      add(member + " to be retried");
    } else if (is.retry_token && is.retry_token != was.retry_token) {
      add(member + " leased for a retry");
    }
    if (is.opted_out_at && !was.opted_out_at) add(member + " opts out");
  }

  // A record whose token the row doesn't bear any more.
  void fenced() {
    if (move_.command != Command::record_batch || move_.choice == Choice::lost) return;
    const auto& asked = before_.pods()[static_cast<std::size_t>(move_.actor)].asked;
    const auto* record = asked ? std::get_if<core::RecordBatch>(&*asked) : nullptr;
    if (record == nullptr) return;
    const auto& batches = before_.database().batches();
    const auto batch = static_cast<std::size_t>(core::number(record->batch) - 1);
    if (batch >= batches.size() || batches[batch].token == record->token) return;
    add(text_.empty() ? "stale token, changes nothing" : "with a stale token");
  }

  void workers() {
    for (std::size_t i = 0; i < after_.pods().size(); ++i) {
      const int actor = static_cast<int>(i);
      const Pod& is = after_.pods()[i];
      if (i >= before_.pods().size()) {
        add(name(actor) + " starts");
        continue;
      }
      const Pod& was = before_.pods()[i];
      if (is.left && !was.left) add(name(actor) + " leaves");
      if (is.incarnation != was.incarnation) {
        add(name(actor) +
            (move_.command == Command::kill ? " starts again" : " leaves, starts again"));
        continue;
      }
      claims(actor, was.worker.claims(), is.worker.claims());
      if (is.waiting() && !was.waiting()) add(name(actor) + " waits for a lock");
      if (is.uncommitted && !was.uncommitted) add(name(actor) + "'s transaction stays open");
    }
  }

  void claims(int actor, const std::vector<core::Claim>& was, const std::vector<core::Claim>& is) {
    for (const core::Claim& claim : is) {
      const bool known = std::ranges::any_of(
          was, [&](const core::Claim& other) { return other.serial == claim.serial; });
      if (known) continue;
      std::string members;
      for (const core::ClaimMember& member : claim.members())
        members += " " + name(member.member.id);
      add(name(actor) + " has " + (claim.retries ? std::string("retries") : name(claim.batch)) +
          ":" + (members.empty() ? " nobody" : members));
    }
  }

  const World& before_;
  const World& after_;
  const Move& move_;
  std::string text_;
};

}  // namespace

std::vector<StoryLine> story_of(const WorldSettings& settings, const std::vector<Step>& steps) {
  std::vector<StoryLine> lines;
  World world(settings);
  const core::Instant start = world.now();
  for (const Step& step : steps) {
    StoryLine line{std::ssize(lines) + 1, step, world.now() - start, {}};
    const World before = world;
    const auto offer = world.find(step.move);
    ASSERT(offer && "a replayed step is offered again");
    world.apply(*offer);
    line.came_of_it = Difference(before, world, step.move).text();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace sim
