#include "sim/world.h"

#include <algorithm>
#include <set>

namespace sim {
namespace {

using core::DbTime;
using core::Duration;
using core::Instant;
using core::MemberId;
using core::RowState;

constexpr std::int64_t steps_max = 200'000;

struct Flight {
  std::int64_t lane = 0;
  MemberId member{};
  Instant latest_start{};
  Instant started{};
  bool departed = false;
  bool arrived = false;
};

struct Actor {
  core::Worker worker;
  std::optional<core::StoreCommand> asked;
  std::vector<Flight> flights;
  std::optional<core::Wait> wait;
  std::optional<core::Exit> left;
  Instant frozen_until{};
  bool stopping = false;
  std::set<MemberId> unrecorded;  // mailed by this process, and no row says so yet
};

class World {
 public:
  World(const WorldPlan& plan, std::uint64_t seed)
      : plan_(plan), chooser_(seed), fates_(core::mix(seed)), database_(plan.policy, plan.members) {
    for (std::int64_t i = 0; i < plan.workers; ++i) actors_.push_back(fresh());
    for (Actor& actor : actors_) tell(actor, core::Started{});
  }

  WorldReport run() {
    const auto goes_on = [](const Actor& a) { return !a.left || a.stopping; };
    while (std::any_of(actors_.begin(), actors_.end(), goes_on)) {
      if (++report_.steps > steps_max) broken("it never ends");
      step();
      check_claims();
    }
    land_orphans(true);
    check_end();
    return report_;
  }

 private:
  [[noreturn]] void broken(const std::string& what) const {
    throw OracleBroken(what + " at step " + std::to_string(report_.steps));
  }

  std::uint64_t pick(std::uint64_t below) { return chooser_.next() % below; }
  bool chance(std::uint64_t permille) { return pick(1000) < permille; }

  Actor fresh() {
    return Actor{core::Worker(plan_.policy, chooser_.next(), 0), {}, {}, {}, {}, {}, false, {}};
  }

  DbTime db_now() const { return DbTime(now_.time_since_epoch() + std::chrono::hours(1000)); }

  // ---- one step: somebody moves, or time does ----
  void step() {
    for (Actor& actor : actors_) {
      if (!actor.left || !actor.stopping) continue;
      actor = fresh();
      tell(actor, core::Started{});
    }
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < actors_.size(); ++i) {
      const Actor& actor = actors_[i];
      if (!actor.left && now_ >= actor.frozen_until && (actor.asked || !actor.flights.empty()))
        ready.push_back(i);
    }
    if (chance(20)) mischief();
    if (ready.empty() || chance(60)) {
      pass_time(ready.empty());
      return;
    }
    Actor& actor = actors_[ready[pick(ready.size())]];
    if (now_ < actor.frozen_until || actor.left) return;
    const std::size_t flying = actor.flights.size();
    if (actor.asked && (flying == 0 || chance(500))) {
      answer_store(actor);
    } else if (flying > 0) {
      move_flight(actor, pick(flying));
    }
  }

  void pass_time(bool nobody_ready) {
    Instant next = now_ + std::chrono::hours(30);
    for (const Actor& actor : actors_) {
      if (actor.left) continue;
      if (now_ < actor.frozen_until)
        next = std::min(next, actor.frozen_until);
      else if (actor.wait)
        next = std::min(next, std::max(actor.wait->until, now_ + Duration(1)));
    }
    now_ = nobody_ready ? next
                        : std::min(next, now_ + Duration(static_cast<std::int64_t>(pick(50'000))));
    land_orphans(false);
    for (Actor& actor : actors_) {
      if (actor.left || now_ < actor.frozen_until) continue;
      for (std::size_t i = actor.flights.size(); i-- > 0;) {
        if (i >= actor.flights.size()) continue;  // it has left, with requests under way
        const Flight flight = actor.flights[i];
        if (flight.departed && now_ - flight.started >= plan_.policy.worst_send()) {
          finish(actor, i, {flight.lane, timed_out(), true});
        }
      }
      if (!actor.wait || now_ >= actor.wait->until) tell(actor, core::Tick{});
    }
  }

  void mischief() {
    Actor& actor = actors_[pick(actors_.size())];
    const std::uint64_t what = pick(4);
    if (what == 0 && kills_ < plan_.kills && !actor.left) {
      ++kills_;
      ++report_.kills;
      for (const Flight& flight : actor.flights) orphans_.push_back(flight);
      actor = fresh();
      tell(actor, core::Started{});
    } else if (what == 1 && freezes_ < plan_.freezes && !actor.left) {
      ++freezes_;
      actor.frozen_until = now_ + Duration(static_cast<std::int64_t>(pick(180'000'000)));
    } else if (what == 2 && opt_outs_ < plan_.opt_outs) {
      ++opt_outs_;
      const MemberRow& member = database_.members()[pick(database_.members().size())];
      database_.execute(OptOut{member.id}, db_now());
    } else if (what == 3 && stops_ < plan_.stops && !actor.left && now_ >= actor.frozen_until) {
      ++stops_;
      actor.stopping = true;
      tell(actor, core::Stop{});
    }
  }

  // Requests of the killed still travel: each arrives within the worst send, or never.
  void land_orphans(bool all) {
    for (std::size_t i = orphans_.size(); i-- > 0;) {
      if (!all && !chance(300)) continue;
      if (orphans_[i].departed && chance(500)) (void)deliver(orphans_[i].member);
      orphans_.erase(orphans_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void answer_store(Actor& actor) {
    const core::StoreCommand command = *actor.asked;
    actor.asked.reset();
    if (lost_answers_ < plan_.lost_answers && chance(30)) {
      ++lost_answers_;
      core::StoreAnswer lost;
      lost.status = core::StoreStatus::in_doubt;
      if (chance(500)) {
        (void)database_.execute(command, db_now());
      } else if (chance(300)) {
        lost.status = core::StoreStatus::not_done;
      }
      tell(actor, lost);
      return;
    }
    tell(actor, database_.execute(command, db_now()));
  }

  // ---- the provider: a second request under a key that it knows is a repeat ----
  bool is_refused(MemberId member) const {
    return plan_.refuse_every > 0 && core::number(member) % plan_.refuse_every == 0;
  }
  int deliver(MemberId member) {
    if (is_refused(member)) return 422;
    const auto known = first_use_.find(member);
    if (known != first_use_.end() && now_ - known->second < plan_.policy.dedupe_window) {
      ++report_.repeats;
      return 200;
    }
    if (fates_.next() % 1000 < static_cast<std::uint64_t>(plan_.permille_503)) return 503;
    first_use_.insert_or_assign(member, now_);
    ++accepted_[member];
    return 200;
  }

  static core::SendAnswer timed_out() { return {core::Transport::in_doubt, 0, std::nullopt}; }

  void move_flight(Actor& actor, std::size_t index) {
    Flight& flight = actor.flights[index];
    if (flight.arrived) return;  // it will time out
    if (!flight.departed && now_ >= flight.latest_start) {
      finish(actor, index, core::SendFinished{flight.lane, {}, false});
      return;
    }
    flight.departed = true;
    flight.started = now_;
    arrivals_.push_back(now_);
    check_send(actor, flight.member);
    const int status = deliver(flight.member);
    if (status == 200) actor.unrecorded.insert(flight.member);
    check_unrecorded(actor);
    if (fates_.next() % 1000 < static_cast<std::uint64_t>(plan_.permille_silence)) {
      flight.arrived = true;
      return;
    }
    finish(actor, index, {flight.lane, {core::Transport::answered, status, std::nullopt}, true});
  }

  void finish(Actor& actor, std::size_t index, const core::SendFinished& finished) {
    actor.flights.erase(actor.flights.begin() + static_cast<std::ptrdiff_t>(index));
    tell(actor, finished);
  }

  void tell(Actor& actor, const core::Event& event) {
    actor.worker.on(now_, event);
    while (auto command = actor.worker.next()) {
      if (auto* store = std::get_if<core::StoreCommand>(&*command)) {
        if (actor.asked) broken("two store commands outstanding");
        actor.asked = *store;
      } else if (auto* send = std::get_if<core::Send>(&*command)) {
        if (actor.stopping) broken("a request is started after the stop");
        actor.flights.push_back({send->lane, send->member, send->latest_start, now_, false, false});
      } else if (auto* wait = std::get_if<core::Wait>(&*command)) {
        actor.wait = *wait;
      } else {
        actor.left = std::get<core::Exit>(*command);
        report_.stale_writes += actor.left->report.stale_writes;
        for (const Flight& flight : actor.flights) orphans_.push_back(flight);
        actor.flights.clear();
        actor.asked.reset();
      }
    }
  }

  // ---- oracles ----
  // S15: what one crash repeats.
  void check_unrecorded(Actor& actor) const {
    std::erase_if(actor.unrecorded, [&](MemberId member) {
      const MemberRow& row = row_of(member);
      return row.state != RowState::pending || row.not_before;
    });
    if (std::ssize(actor.unrecorded) > plan_.policy.batch)
      broken("S15: more mailed and unrecorded than a batch");
  }

  const MemberRow& row_of(MemberId member) const {
    return database_.members()[static_cast<std::size_t>(core::number(member) - 1)];
  }

  // S2, S3 as the provider would see it, S5.
  void check_send(const Actor& actor, MemberId member) const {
    const std::string who = "member " + std::to_string(core::number(member));
    const MemberRow& row = row_of(member);
    if (row.opted_out_at && db_now() - *row.opted_out_at > Duration(100'000))
      broken("S2: late opt-out of " + who);
    if (row.state != RowState::pending && holds_live_claim(actor, member))
      broken("S5: " + who + " is ended and sent again");
    for (const Actor& other : actors_) {
      if (&other == &actor || other.left) continue;
      for (const Flight& flight : other.flights) {
        const bool travels = flight.departed && now_ - flight.started < plan_.policy.worst_send();
        if (flight.member == member && travels && now_ >= other.frozen_until) {
          broken("S3: " + who + " is being sent by two workers");
        }
      }
    }
  }

  // Whether the claim under which the actor sends is the member's live one.
  bool holds_live_claim(const Actor& actor, MemberId member) const {
    for (const core::Claim& claim : actor.worker.claims()) {
      for (const core::ClaimMember& m : claim.members()) {
        if (m.member.id != member) continue;
        if (claim.retries) return row_of(member).retry_token == claim.token;
        for (const BatchRow& batch : database_.batches()) {
          if (batch.id == claim.batch) return batch.token == claim.token;
        }
      }
    }
    return false;
  }

  // Ended rows hold no claim; nobody got two mails.
  void check_claims() const {
    for (const MemberRow& member : database_.members()) {
      if (member.state != RowState::pending && (member.not_before || member.retry_token))
        broken("S5: an ended row holds a claim");
      if (member.state == RowState::unknown && !member.maybe_sent_since)
        broken("S5: unknown without a since");
    }
    for (const auto& [member, count] : accepted_) {
      if (count > 1) broken("S1: a member got two mails");
    }
  }

  // S4: never more than the limit in any sliding second.
  void check_rate() const {
    if (plan_.policy.rate_per_s == 0) return;
    std::size_t first = 0;
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      while (arrivals_[i] - arrivals_[first] >= Duration(1'000'000)) ++first;
      if (static_cast<std::int64_t>(i - first) + 1 > plan_.policy.rate_per_s)
        broken("S4: more requests in a second than the limit");
    }
  }

  void check_end() {
    check_rate();
    for (const MemberRow& member : database_.members()) {
      const std::string who = "member " + std::to_string(core::number(member.id));
      const auto accepted = accepted_.find(member.id);
      const bool got = accepted != accepted_.end() && accepted->second > 0;
      if (member.state == RowState::sent && !got)
        broken("S10: " + who + " is recorded sent and got nothing");
      if (member.eligible()) broken("S12: " + who + " remains");
      if (is_refused(member.id) && member.state == RowState::sent)
        broken("S10: " + who + " is refused and recorded sent");
      report_.failed += member.state == RowState::failed ? 1 : 0;
      report_.unknown += member.state == RowState::unknown ? 1 : 0;
      if (member.state == RowState::failed && got)
        broken("S6: " + who + " got a mail and is failed");
    }
    for (const BatchRow& batch : database_.batches()) {
      if (batch.state != BatchRow::State::done) broken("a batch stays open");
    }
  }

  WorldPlan plan_;
  core::Rng chooser_;
  core::Rng fates_;
  ModelDatabase database_;
  std::vector<Actor> actors_;
  std::vector<Flight> orphans_;
  std::map<MemberId, int> accepted_;
  std::map<MemberId, Instant> first_use_;
  std::vector<Instant> arrivals_;  // in order of time
  Instant now_{};
  int kills_ = 0, freezes_ = 0, lost_answers_ = 0, opt_outs_ = 0, stops_ = 0;
  WorldReport report_;
};

}  // namespace

WorldReport run_world(const WorldPlan& plan, std::uint64_t seed) {
  return World(plan, seed).run();
}

}  // namespace sim
