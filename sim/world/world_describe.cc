// Worlds that will go on alike have the same fingerprint: a search need not look twice.
//
// Left out on purpose: how many steps it took, who moved last, seeds, counters. Workers are equal
// up to their numbers.
#include <algorithm>

#include "sim/world/world.h"

namespace sim {
namespace {

using core::DbTime;
using core::Digest;
using core::RowState;

// How far away a database time is, in the digest's terms.
struct DbTimes {
  Digest& digest;
  DbTime now;
  core::Duration window;

  void due(const std::optional<DbTime>& at) const {
    digest.add(!at ? std::int64_t{-2} : *at <= now ? std::int64_t{-1} : (*at - now).count());
  }
  // How long ago makes a difference only towards the end of the dedupe window.
  void since(const std::optional<DbTime>& at) const {
    const core::Duration age = at ? now - *at : core::Duration(-1);
    digest.add(age * 2 < window ? std::int64_t{at ? 1 : 0} : age.count());
  }
};

// A token is as good as the claim that it opens.
void name_tokens(const ModelDatabase& database, Digest::Names& names) {
  names.clear();
  for (const BatchRow& batch : database.batches()) {
    if (batch.token && batch.state != BatchRow::State::open)
      names.emplace_back(*batch.token, 2 * static_cast<std::uint64_t>(core::number(batch.id)) +
                                           (batch.state == BatchRow::State::done ? 1000000U : 0U));
  }
  for (const MemberRow& member : database.members()) {
    if (member.retry_token)
      names.emplace_back(*member.retry_token,
                         2 * static_cast<std::uint64_t>(core::number(member.id)) + 1);
  }
}

// Of a row that has ended nothing matters but how: no statement reads the rest, and one that
// changes it breaks S5 at once.
void describe(const MemberRow& member, const DbTimes& times) {
  Digest& digest = times.digest;
  digest.add(static_cast<int>(member.state));
  if (digest.only_ahead() && member.state != RowState::pending) return;
  digest.add(member.attempts * 64 + member.expired_claims);
  digest.add(member.opted_out_at.has_value());
  times.due(member.not_before);
  times.since(member.maybe_sent_since);
  digest.token(member.retry_token.value_or(core::Token{}));
  times.due(member.retry_lease_until);
}

// A batch that is done is never claimed again; its token still tells a late record who ended it.
void describe(const BatchRow& batch, const DbTimes& times) {
  Digest& digest = times.digest;
  digest.add(core::number(batch.first));
  digest.add(core::number(batch.last));
  digest.add(static_cast<int>(batch.state));
  const bool over = digest.only_ahead() && batch.state == BatchRow::State::done;
  if (!over) digest.add(batch.expired_claims);
  digest.token(batch.token.value_or(core::Token{}));
  if (over) return;
  times.due(batch.lease_until);
  times.since(batch.maybe_sent_since);
}

void describe(Digest& digest, const MailText& text) {
  digest.add(static_cast<std::int64_t>(text.key));
  digest.add(text.payload);
}

void describe(Digest& digest, const Budget& budget) {
  if (budget.total == 0 && digest.only_ahead()) {  // what is left of other kinds is never used
    digest.add(static_cast<int>(budget[Fault::kill]));
  } else {
    for (std::size_t fault = 0; fault < fault_count; ++fault) {
      const int left = budget.of[fault];
      // Kinds that came later are told only where there are some: a trace holds its last world.
      if (fault <= static_cast<std::size_t>(Fault::database_crash))
        digest.add(left);
      else if (left > 0)
        digest.add(static_cast<int>(fault) * 256 + left);
    }
  }
  digest.add(static_cast<int>(budget.total));
}

// Those who have ended don't count as unrecorded (World::watch_unrecorded).
std::uint64_t unrecorded(const Pod& pod, const ModelDatabase& database, bool only_ahead) {
  std::uint64_t sum = 0;
  for (const core::MemberId member : pod.unrecorded) {
    const auto number = static_cast<std::uint64_t>(core::number(member));
    if (only_ahead && database.members()[number - 1].state != RowState::pending) continue;
    sum += core::mix(number);
  }
  return sum;
}

// blank: knows the time and the names.
std::uint64_t digest_of(const Pod& pod, const Digest& blank, const ModelDatabase& database,
                        core::Duration statement_timeout) {
  Digest digest = blank;
  digest.add(pod.left);
  if (pod.left) return digest.value();
  if (pod.starts_at) digest.due(*pod.starts_at);
  pod.worker.describe(digest);
  digest.add(pod.asked.has_value());
  if (pod.asked) core::describe(digest, *pod.asked);
  digest.add(pod.running.has_value());
  if (pod.running) {
    core::describe(digest, *pod.running);
    digest.due(pod.running_since + statement_timeout);
  }
  digest.add(pod.uncommitted.has_value());
  std::uint64_t flights = 0;
  for (const Flight& flight : pod.flights) {
    Digest one = blank;
    one.add(flight.member);
    one.due(flight.latest_start);
    one.due(flight.answered);
    one.add(static_cast<int>(flight.stage));
    if (flight.stage != Flight::Stage::asked) one.age(flight.started, core::Duration(10'000'000));
    one.add(flight.answer.status);
    flights += one.value();
  }
  digest.add(flights);
  digest.due(pod.wait_until);
  digest.add(pod.stopping);
  digest.due(pod.frozen_until);
  digest.add(unrecorded(pod, database, digest.only_ahead()));
  if (database.members().size() >= core::Weather::least) pod.outage.describe(digest);
  digest.add(pod.sabotage.count);
  digest.add(pod.sabotage.in_transaction);
  digest.token(pod.sabotage.token.value_or(core::Token{}));
  for (const core::MemberId member : pod.sabotage.members) digest.add(member);
  return digest.value();
}

}  // namespace

std::uint64_t World::fingerprint(Digest::Detail detail) const {
  static thread_local Digest::Names names;
  static thread_local std::vector<std::uint64_t> pods;
  name_tokens(database_, names);
  const Digest blank(now_, names, detail);
  Digest digest = blank;
  const DbTimes times{digest, db_now(), settings_->policy.dedupe_window};
  for (const MemberRow& member : database_.members()) {
    sim::describe(member, times);
    const ProviderModel::Member& known = provider_.member(member.id);
    digest.add(static_cast<std::int64_t>(known.deliveries));
    if (known.deliveries > 0) times.since(db_now() - (now_ - known.last_delivery));
    const Watch& watch = watches_[static_cast<std::size_t>(core::number(member.id) - 1)];
    if (member.state == RowState::pending || !digest.only_ahead()) {
      digest.add(watch.told_sent);
      digest.add(watch.told_refused);
      digest.token(watch.told_under);
      digest.add(watch.answers);
      describe(digest, watch.first);
    }
    digest.add(watch.misled);
    if (watch.has_opted_out) digest.age(watch.opted_out, core::Duration(200'000));
  }
  for (const BatchRow& batch : database_.batches()) sim::describe(batch, times);
  digest.add(database_.campaign().plan_version);
  times.due(database_.provider().tat);
  times.due(database_.provider().paused_until);
  if (database_.provider().paused_until > db_now()) digest.age(paused_at_, core::Duration(200'000));
  digest.due(provider_.closed_until());
  if (const core::Hours hours = this->hours(); hours.limited()) {
    times.due(hours.opens);
    times.due(hours.closes);
    times.due(hours.not_after);
  }
  if (campaign_goes_on_at_) {
    digest.age(campaign_paused_at_, core::Duration(200'000));
    digest.due(*campaign_goes_on_at_);
  }

  pods.clear();
  for (const Pod& pod : pods_)
    pods.push_back(digest_of(pod, blank, database_, settings_->policy.statement_timeout));
  std::sort(pods.begin(), pods.end());
  for (const std::uint64_t pod : pods) digest.add(pod);
  for (const LateRequest& late : late_requests_) {
    digest.add(late.member);
    describe(digest, late.text);
    digest.due(late.until);
  }
  for (const LateStatement& late : late_statements_) {
    core::describe(digest, late.command);
    digest.add(late.waiting);
    digest.due(late.until);
  }
  digest.add(late_landed_);
  digest.add(crashed_);
  digest.add(db_ahead_ > core::Duration(0));
  describe(digest, budget_);
  return digest.value();
}

}  // namespace sim
