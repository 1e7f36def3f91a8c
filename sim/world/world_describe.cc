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
Digest::Names names_in(const ModelDatabase& database) {
  Digest::Names names;
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
  return names;
}

void describe(const MemberRow& member, const DbTimes& times) {
  Digest& digest = times.digest;
  digest.add(static_cast<int>(member.state));
  digest.add(member.attempts * 64 + member.expired_claims);
  digest.add(member.opted_out_at.has_value());
  times.due(member.not_before);
  times.since(member.maybe_sent_since);
  digest.token(member.retry_token.value_or(core::Token{}));
  times.due(member.retry_lease_until);
}

void describe(const BatchRow& batch, const DbTimes& times) {
  Digest& digest = times.digest;
  digest.add(core::number(batch.first));
  digest.add(core::number(batch.last));
  digest.add(static_cast<int>(batch.state));
  digest.add(batch.expired_claims);
  digest.token(batch.token.value_or(core::Token{}));
  times.due(batch.lease_until);
  times.since(batch.maybe_sent_since);
}

std::uint64_t digest_of(const Pod& pod, core::Instant now, const Digest::Names& names) {
  Digest digest(now, names);
  digest.add(pod.left);
  if (pod.left) return digest.value();
  pod.worker.describe(digest);
  digest.add(pod.asked.has_value());
  if (pod.asked) core::describe(digest, *pod.asked);
  digest.add(pod.running.has_value());
  if (pod.running) core::describe(digest, *pod.running);
  digest.add(pod.uncommitted.has_value());
  std::uint64_t flights = 0;
  for (const Flight& flight : pod.flights) {
    Digest one(now, names);
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
  std::uint64_t unrecorded = 0;
  for (const core::MemberId member : pod.unrecorded)
    unrecorded += core::mix(static_cast<std::uint64_t>(core::number(member)));
  digest.add(unrecorded);
  digest.add(pod.sabotage.count);
  digest.add(pod.sabotage.in_transaction);
  digest.token(pod.sabotage.token.value_or(core::Token{}));
  for (const core::MemberId member : pod.sabotage.members) digest.add(member);
  return digest.value();
}

}  // namespace

std::uint64_t World::fingerprint() const {
  const Digest::Names names = names_in(database_);
  Digest digest(now_, names);
  const DbTimes times{digest, db_now(), settings_->policy.dedupe_window};
  for (const MemberRow& member : database_.members()) {
    sim::describe(member, times);
    const ProviderModel::Member& known = provider_.member(member.id);
    digest.add(static_cast<std::int64_t>(known.deliveries));
    if (known.deliveries > 0) times.since(db_now() - (now_ - known.last_delivery));
    const Watch& watch = watches_[static_cast<std::size_t>(core::number(member.id) - 1)];
    digest.add(watch.told_sent);
    digest.add(watch.told_refused);
    digest.add(watch.misled);
    if (watch.has_opted_out) digest.age(watch.opted_out, core::Duration(200'000));
  }
  for (const BatchRow& batch : database_.batches()) sim::describe(batch, times);
  digest.add(database_.campaign().plan_version);
  times.due(database_.provider().tat);
  times.due(database_.provider().paused_until);
  if (database_.provider().paused_until > db_now()) digest.age(paused_at_, core::Duration(200'000));
  digest.due(provider_.closed_until());

  std::vector<std::uint64_t> pods;
  for (const Pod& pod : pods_) pods.push_back(digest_of(pod, now_, names));
  std::sort(pods.begin(), pods.end());
  for (const std::uint64_t pod : pods) digest.add(pod);
  for (const LateRequest& late : late_requests_) {
    digest.add(late.member);
    digest.due(late.until);
  }
  for (const LateStatement& late : late_statements_) {
    core::describe(digest, late.command);
    digest.due(late.until);
  }
  for (const std::uint8_t left : budget_.of) digest.add(static_cast<int>(left));
  digest.add(static_cast<int>(budget_.total));
  return digest.value();
}

}  // namespace sim
