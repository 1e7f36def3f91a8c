// The oracles. Each looks only at what the step touched.
#include <algorithm>
#include <array>
#include <utility>

#include "sim/world/world.h"

namespace sim {
namespace {

using core::Duration;
using core::MemberId;
using core::RowState;

constexpr Duration opt_out_grace{100'000};
constexpr Duration pause_grace{100'000};  // it is read together with the opt-outs

std::string name_of(MemberId member) {
  return "m" + std::to_string(core::number(member));
}
std::string name_of(core::BatchId batch) {
  return "b" + std::to_string(core::number(batch));
}

std::string ms_text(Duration time) {
  return std::to_string(time.count() / 1000) + " ms";
}

bool covers(const BatchRow& batch, const MemberRow& member) {
  return batch.priority == member.priority && batch.first <= member.id && member.id <= batch.last;
}

core::Token token_of(const core::StoreCommand& command) {
  if (const auto* record = std::get_if<core::RecordBatch>(&command)) return record->token;
  if (const auto* record = std::get_if<core::RecordRetries>(&command)) return record->token;
  if (const auto* claim = std::get_if<core::ClaimBatch>(&command)) return claim->token;
  if (const auto* claim = std::get_if<core::ClaimRetries>(&command)) return claim->token;
  return {};
}

}  // namespace

// What an oracle can't ask for.
// Leases, slots and windows are the database's time: when its clock jumps, they end early, and a
// member may be claimed twice at once. What arrives long after its slot, the network has kept. And
// a database that forgets an acknowledged commit forgets a claim, a record or an opt-out with it.
// What must hold even then: keys absorb what is asked for twice, nobody is lost, it comes to an
// end.
bool World::excused(Oracle oracle) const {
  if (settings_->ignored.test(static_cast<std::size_t>(oracle))) return true;
  static constexpr std::array needs_memory{Oracle::S2, Oracle::S3,  Oracle::S4,  Oracle::S5,
                                           Oracle::S6, Oracle::S13, Oracle::S15, Oracle::S16};
  const bool clock = db_ahead_ > Duration(0) &&
                     (oracle == Oracle::S3 || oracle == Oracle::S13 || oracle == Oracle::S19);
  const bool memory =
      crashed_ && std::find(needs_memory.begin(), needs_memory.end(), oracle) != needs_memory.end();
  return clock || memory || (late_landed_ && oracle == Oracle::S13);
}

void World::broken(Oracle oracle, std::string what) {
  if (!verdict_ && !excused(oracle)) verdict_ = Verdict{oracle, std::move(what), steps_};
}

// S14: whoever has locked rows has claimed them; a claim goes past.
void World::watch_wait(const core::StoreCommand& command) {
  const bool claims = std::holds_alternative<core::ClaimBatch>(command) ||
                      std::holds_alternative<core::ClaimRetries>(command);
  if (claims) broken(Oracle::S14, "a claim waits for a lock");
}

void World::watch_statement(int actor, const core::StoreCommand& command,
                            const core::StoreAnswer& answer) {
  if (answer.status != core::StoreStatus::answered) return;
  watch_changes(actor, command);
  if (const auto* claimed = std::get_if<core::Claimed>(&answer.result)) {
    watch_claim(command, *claimed);
  } else if (const auto* recorded = std::get_if<core::Recorded>(&answer.result)) {
    watch_record(command);
    if (recorded->verdict == core::RecordVerdict::stale) forget_unrecorded(actor, command);
  } else if (std::holds_alternative<core::Skipped>(answer.result)) {
    watch_skipped();
  } else if (const auto* paused = std::get_if<core::Paused>(&answer.result)) {
    if (paused->until < paused_until_)
      broken(Oracle::S13, "the common pause is cut short by a shorter one");
  }
}

// S5, S6, S10 of every row that the statement changed.
void World::watch_changes(int actor, const core::StoreCommand& command) {
  const core::Token claim = token_of(command);
  for (const auto& [before, after] : database_.changes().members) {
    const std::string who = name_of(before.id);
    if (before.state != RowState::pending) broken(Oracle::S5, who + " had ended and was changed");
    if (!legal(after)) broken(Oracle::S5, who + " is in a state that the schema doesn't allow");
    if (after.attempts > settings_->policy.attempts_max)
      broken(Oracle::S6, who + " has used more attempts than there are");
    if (after.state == RowState::sent && provider_.member(before.id).deliveries == 0)
      broken(Oracle::S10, who + " is recorded sent and got nothing");
    const OutageWatch& outage = pods_[static_cast<std::size_t>(actor)].outage;
    if (after.attempts > before.attempts && outage.is_outage(before.id, claim))
      broken(Oracle::S6, who + " has used an attempt for an answer of an outage");
    watch_outcome(claim, before, after);
  }
}

// S6: what was heard under a claim is what is recorded under it.
void World::watch_outcome(core::Token claim, const MemberRow& before, const MemberRow& after) {
  const Watch& heard = watch(before.id);
  const bool recorded = after.state != before.state || after.attempts != before.attempts;
  if (!recorded || heard.told_under != claim) return;
  const std::string who = name_of(before.id);
  if (after.state == RowState::sent && !heard.told_sent)
    broken(Oracle::S6, who + " is recorded sent under a claim that heard no 200");
  const bool counted = after.attempts > before.attempts;
  if (after.attempts > heard.answers)
    broken(Oracle::S6, who + " has used " + std::to_string(after.attempts) + " attempts, and " +
                           std::to_string(heard.answers) + " answers were about it");
  if (counted && after.not_before && *after.not_before < db_now() + settings_->policy.backoff)
    broken(Oracle::S6, who + " is put up for another try without a backoff");
  if (after.state == RowState::pending && heard.told_refused)
    broken(Oracle::S6, who + " was refused (422) and is put up for another try");
}

// S3, S8: nobody who is claimed was somebody's already.
void World::watch_claim(const core::StoreCommand& command, const core::Claimed& claimed) {
  if (!claimed.found) return;
  const bool of_a_batch = claimed.batch != core::BatchId{};
  for (const core::ClaimedMember& member : claimed.members) {
    watch_member(row(member.id));
    if (of_a_batch && !covers(row(claimed.batch), row(member.id)))
      broken(Oracle::S3, name_of(member.id) + " is claimed with " + name_of(claimed.batch) +
                             ", which it is not in");
  }
  if (std::holds_alternative<core::ReadBack>(command)) return;
  if (database_.campaign().paused) broken(Oracle::S18, "a claim is made in a paused campaign");
  const core::DbTime now = db_now();
  const auto* retries = std::get_if<core::ClaimRetries>(&command);
  const std::int64_t asked = retries != nullptr ? retries->limit : settings_->policy.batch;
  if (std::ssize(claimed.members) > asked)
    broken(Oracle::S8, std::to_string(claimed.members.size()) + " members claimed, " +
                           std::to_string(asked) + " asked for");
  for (const auto& [before, after] : database_.changes().batches) {
    if (before.state == BatchRow::State::leased && *before.lease_until > now)
      broken(Oracle::S3, name_of(before.id) + " is claimed, and its lease is alive");
    if (before.state == BatchRow::State::done)
      broken(Oracle::S5, name_of(before.id) + " is done and claimed again");
  }
  for (const auto& [before, after] : database_.changes().members) {
    if (before.retry_lease_until && *before.retry_lease_until > now)
      broken(Oracle::S3, name_of(before.id) + " is claimed, and its lease is alive");
    if (before.not_before && *before.not_before > now)
      broken(Oracle::S6, name_of(before.id) + " is claimed before its next try is due");
  }
  for (const core::ClaimedMember& member : claimed.members) {
    if (retries == nullptr && row(member.id).not_before)
      broken(Oracle::S3, name_of(member.id) + " waits for a retry, and is claimed with its batch");
  }
  if (retries == nullptr) {
    watch_ranges(claimed);
    watch_order(claimed);
  }
  watch_token(command);
}

// S3: two live batches never share a member.
void World::watch_ranges(const core::Claimed& claimed) {
  const BatchRow& mine = row(claimed.batch);
  for (const BatchRow& other : database_.batches()) {
    const bool live = other.state == BatchRow::State::leased && *other.lease_until > db_now();
    const bool overlap =
        other.priority == mine.priority && other.first <= mine.last && mine.first <= other.last;
    if (live && other.id != mine.id && overlap)
      broken(Oracle::S3, name_of(mine.id) + " and " + name_of(other.id) + " share members");
  }
}

// S17. Retries have no such promise: they come before batches, in the order in which they are due.
void World::watch_order(const core::Claimed& claimed) {
  if (transactions_open() || database_.waiters() > 0) return;  // they may have locked it
  const BatchRow& mine = row(claimed.batch);
  for (const BatchRow& other : database_.batches()) {
    const bool is_free = other.state == BatchRow::State::open ||
                         (other.state == BatchRow::State::leased && *other.lease_until <= db_now());
    const bool before =
        std::pair(other.priority, other.first) < std::pair(mine.priority, mine.first);
    if (is_free && before && other.id != mine.id)
      broken(Oracle::S17, name_of(mine.id) + " is claimed, and " + name_of(other.id) +
                              ", which comes before it, is free");
  }
}

// S2, S5: who may not be claimed at all.
void World::watch_member(const MemberRow& member) {
  const std::string who = name_of(member.id);
  if (member.opted_out_at) broken(Oracle::S2, who + " has opted out and is claimed");
  if (member.state != RowState::pending) broken(Oracle::S5, who + " has ended and is claimed");
}

// S4: a token that opens a second claim fences nothing between the two.
void World::watch_token(const core::StoreCommand& command) {
  const core::Token token = token_of(command);
  const auto reused = [&](const std::optional<core::Token>& before) {
    if (before == token) broken(Oracle::S4, "a token is used for a second claim");
  };
  for (const auto& change : database_.changes().batches) reused(change.before.token);
  for (const auto& change : database_.changes().members) reused(change.before.retry_token);
  for (const BatchRow& batch : database_.batches()) {
    const auto& changed = database_.changes().batches;
    if (changed.empty() || changed.front().before.id != batch.id) reused(batch.token);
  }
}

// S4: only the live claim's token changes anything.
void World::watch_record(const core::StoreCommand& command) {
  if (const auto* record = std::get_if<core::RecordBatch>(&command)) {
    const auto& batches = database_.changes().batches;
    const auto changed = std::find_if(batches.begin(), batches.end(), [&](const auto& change) {
      return change.before.id == record->batch;
    });
    if (!knows(record->batch)) return;
    const BatchRow& before = changed != batches.end() ? changed->before : row(record->batch);
    const bool live = before.token == record->token && before.state == BatchRow::State::leased;
    const bool wrote = !batches.empty() || !database_.changes().members.empty();
    if (!live && wrote) broken(Oracle::S4, "a stale token changed " + name_of(record->batch));
    for (const auto& change : database_.changes().members) {
      if (!covers(before, change.before))
        broken(Oracle::S4, name_of(change.before.id) + " is recorded with the token of " +
                               name_of(record->batch) + ", which it is not in");
    }
  } else if (const auto* retries = std::get_if<core::RecordRetries>(&command)) {
    for (const auto& [before, after] : database_.changes().members) {
      if (before.retry_token != retries->token)
        broken(Oracle::S4, "a stale token changed " + name_of(before.id));
    }
  }
}

// S3, S18, S19: nobody is skipped whom somebody may be sending, or who may yet be sent.
void World::watch_skipped() {
  const auto& [members, batches, campaign, provider] = database_.changes();
  if (members.empty() && batches.empty()) return;
  if (database_.campaign().paused) broken(Oracle::S18, "members are skipped in a paused campaign");
  if (db_now() < hours().not_after)
    broken(Oracle::S19, "members are skipped before the campaign's last date");
  for (const auto& [before, after] : batches) {
    if (before.state == BatchRow::State::leased && *before.lease_until > db_now())
      broken(Oracle::S3, name_of(before.id) + " is skipped, and its lease is alive");
  }
  for (const auto& [before, after] : members) {
    if (before.retry_lease_until && *before.retry_lease_until > db_now())
      broken(Oracle::S3, name_of(before.id) + " is skipped, and its lease is alive");
  }
}

bool World::claimed_under(core::Token claim, MemberId member) const {
  const MemberRow& claimed = row(member);
  if (claimed.retry_token == claim) return claimed.retry_lease_until > db_now();
  return std::any_of(
      database_.batches().begin(), database_.batches().end(), [&](const BatchRow& batch) {
        return batch.token == claim && batch.lease_until > db_now() && covers(batch, claimed);
      });
}

bool World::watch_request(int actor, MemberId member, core::Token claim, const MailText& text) {
  const Pod& pod = pods_[static_cast<std::size_t>(actor)];
  Watch& seen = watch(member);
  const std::string who = name_of(member);
  if (pod.sabotage.in_transaction) broken(Oracle::S9, who + " is mailed inside a transaction");
  const bool claimed = claimed_under(claim, member);
  if (!claimed) broken(Oracle::S3, who + " is mailed under a claim that has ended");
  if (seen.has_opted_out && now_ - seen.opted_out > opt_out_grace)
    broken(Oracle::S2,
           who + " opted out, and a request starts " + ms_text(now_ - seen.opted_out) + " later");
  if (!seen.mailed) {
    seen.first = text;
    seen.mailed = true;
  } else if (seen.first.key != text.key || seen.first.payload != text.payload) {
    broken(Oracle::S7, who + " is mailed under another key or with another payload");
  }
  const ProviderModel::Member& known = provider_.member(member);
  const Duration key_lives = settings_->policy.dedupe_window - settings_->policy.dedupe_margin;
  if (known.deliveries > 0 && !seen.misled && provider_now() - known.last_delivery >= key_lives)
    broken(Oracle::S16, who + "'s key is used when the provider may have forgotten it");
  constexpr auto most = static_cast<std::int64_t>(core::Worker::claims_most);
  if (pod.worker.holding() > most * settings_->policy.batch ||
      std::ssize(pod.worker.claims()) > most)
    broken(Oracle::S11, "a worker holds " + std::to_string(pod.worker.holding()) + " members");
  const std::int64_t limit = settings_->policy.rate_per_s;
  if (limit > 0 && provider_.max_in_any_second() > limit)
    broken(Oracle::S13, std::to_string(provider_.max_in_any_second()) +
                            " requests in a second, the limit is " + std::to_string(limit));
  if (database_.provider().paused_until > db_now() && now_ - paused_at_ > pause_grace)
    broken(Oracle::S13, who + " is mailed in the common pause");
  if (!may_send()) broken(Oracle::S19, who + " is mailed outside of the hours of its campaign");
  if (database_.campaign().paused && now_ - campaign_paused_at_ > pause_grace)
    broken(Oracle::S18, who + " is mailed " + ms_text(now_ - campaign_paused_at_) +
                            " after the campaign was paused");
  for (const Pod& other : pods_) {
    if (&other == &pod || other.left || !ready(other)) continue;
    for (const Flight& flight : other.flights) {
      if (flight.member == member && flight.stage != Flight::Stage::asked)
        broken(Oracle::S3, who + " is being sent by two workers");
    }
  }
  return claimed;
}

// Since when the provider's row says that everybody pauses.
void World::watch_pause() {
  const core::DbTime until = database_.provider().paused_until;
  if (until != paused_until_ && paused_until_ <= db_now()) paused_at_ = now_;
  paused_until_ = until;
}

// 503 means "not accepted". Whoever says so after a delivery has broken the contract: what follows
// is not the sender's doing.
bool World::misled(MemberId member) const {
  return watches_[static_cast<std::size_t>(core::number(member) - 1)].misled;
}

void World::watch_deliveries(MemberId member) {
  if (provider_.member(member).deliveries > 1 && !misled(member))
    broken(Oracle::S1, name_of(member) + " got two mails");
}

// A lost claim's members are somebody else's to record.
void World::forget_unrecorded(int actor, const core::StoreCommand& command) {
  std::erase_if(pods_[static_cast<std::size_t>(actor)].unrecorded, [&](MemberId member) {
    const auto* batch = std::get_if<core::RecordBatch>(&command);
    return batch == nullptr || !knows(batch->batch) || covers(row(batch->batch), row(member));
  });
}

// S15: what a crash now would repeat. Settled members are looked for only when the count is high.
void World::watch_unrecorded(int actor) {
  Pod& pod = pods_[static_cast<std::size_t>(actor)];
  if (std::ssize(pod.unrecorded) <= settings_->policy.batch) return;
  std::erase_if(pod.unrecorded, [&](MemberId member) {
    if (row(member).state != RowState::pending || row(member).not_before) return true;
    return std::none_of(
        pod.worker.claims().begin(), pod.worker.claims().end(), [&](const core::Claim& claim) {
          return !claim.lost &&
                 (claim.retries || (knows(claim.batch) && covers(row(claim.batch), row(member))));
        });
  });
  std::sort(pod.unrecorded.begin(), pod.unrecorded.end());
  pod.unrecorded.erase(std::unique(pod.unrecorded.begin(), pod.unrecorded.end()),
                       pod.unrecorded.end());
  if (std::ssize(pod.unrecorded) > settings_->policy.batch)
    broken(Oracle::S15, std::to_string(pod.unrecorded.size()) +
                            " members are sent and not recorded by one worker, a batch is " +
                            std::to_string(settings_->policy.batch));
}

std::string World::what_remains() const {
  std::string text;
  int left = 4;
  for (const MemberRow& member : database_.members()) {
    if (!member.eligible() || --left < 0) continue;
    text += (text.empty() ? "" : ", ") + name_of(member.id) +
            (member.not_before ? " waits for a retry" : " is open");
  }
  left = 4;
  for (const BatchRow& batch : database_.batches()) {
    if (batch.state == BatchRow::State::done || --left < 0) continue;
    text += (text.empty() ? "" : ", ") + name_of(batch.id) + " is " + name_of(batch.state);
  }
  return text.empty() ? "nothing, but somebody has not left" : text;
}

// After the last worker has left: everybody has come to an end, and rightly.
void World::watch_end() {
  for (const MemberRow& member : database_.members()) {
    const std::string who = name_of(member.id);
    const bool got = provider_.member(member.id).deliveries > 0;
    if (member.eligible()) broken(Oracle::liveness, who + " remains when all have left");
    if (member.state == RowState::failed && got && !misled(member.id))
      broken(Oracle::S6, who + " got a mail and is failed");
    if (member.state == RowState::skipped && got && !misled(member.id))
      broken(Oracle::S6, who + " got a mail and is skipped");
  }
  // When the window closes, a dead worker's batch in which nobody is left to be mailed stays
  // claimed until the next night.
  const bool has_nights = settings_->window_closes > settings_->window_opens;
  for (const BatchRow& batch : database_.batches()) {
    if (batch.state != BatchRow::State::done && !has_nights)
      broken(Oracle::liveness, name_of(batch.id) + " stays open when all have left");
  }
}

}  // namespace sim
