// The provider of the simulator: fake_mail's decisions over a past that is small and flat, so that
// a world of a dozen members is copied in some tens of nanoseconds and a night of a million is
// served in a second. Answers as fake_mail::Provider does; provider_model_prop.cc holds them
// together.
//
// Ownership: a value. Copies share the behaviour, which never changes.
// Threads: none; copies may go to different threads.
// Time: passed in with each call and never goes back: requests that waited for a thaw are answered
// in the order of arrival. An Instant is both arrival and the provider's own time, for the world
// moves its one clock and skips nothing.
// Errors: none; a broken contract is an assertion of the simulator.
// Deliberately absent: malformed bodies, connections, the list of all requests, and who is dead (a
// world sends nothing of the dead).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "fake_mail/answer.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/freeze.h"
#include "fake_mail/gate.h"
#include "fake_mail/key.h"
#include "fake_mail/recent_times.h"

namespace sim {

constexpr std::uint32_t no_key = 0;
constexpr std::uint32_t proper_key = 1;  // of its member, the same on every attempt

struct MailRequest {
  core::MemberId member{};
  std::uint32_t key = no_key;  // from 2 on: other keys of this member; no two members share a key
  std::uint64_t payload = 0;   // hash of the body
  core::Instant at{};          // arrival
  std::uint32_t owner = 0;     // who sent it
};

class ProviderModel {
 public:
  // What the provider has seen of one member.
  struct Member {
    std::uint32_t requests = 0;
    std::uint32_t tries = 0;  // requests that neither an outage nor the limit turned away
    std::uint32_t deliveries = 0;
    std::int16_t last_status = 0;         // 0: no answer to the last request, or no request yet
    core::Instant first_key_use = never;  // arrival of the first request with the proper key
    core::Instant last_delivery = never;
    bool operator==(const Member&) const = default;
  };
  static constexpr core::Instant never = core::Instant::min();

  // Of the members 1..members, and those who are added.
  ProviderModel(const fake_mail::Behaviour& behaviour, std::int64_t members);

  // Decides and records, as fake_mail::Provider::answer. Requires: not frozen, a known member.
  fake_mail::Answer answer(const MailRequest& request);

  void add_member() { slots_.emplace_back(); }  // after the last

  // Everything is answered 503 from now on for `lasts`.
  void begin_outage(core::Instant now, core::Duration lasts);
  // Everybody is turned away before this, by an outage or a block.
  core::Instant closed_until() const;

  // As in fake_mail::Provider: with `freeze`, the answer of delivery `accept` is withheld and
  // nothing after it is answered until a thaw. Requires: accept > deliveries(), else it never
  // fires.
  void set_trigger(std::int64_t accept, bool freeze);
  void freeze() { freeze_.now(); }
  bool frozen() const { return freeze_.frozen(); }
  // The withheld answer is let go, unless its owner is dropped.
  void thaw(std::span<const std::uint32_t> dropped_owners = {});

  // Requires: a known one.
  const Member& member(core::MemberId member) const;

  std::int64_t accepted() const { return accepted_; }  // members with at least one delivery
  std::int64_t deliveries() const { return deliveries_; }
  std::int64_t repeats() const { return repeats_; }    // absorbed because of their key
  std::int64_t requests() const { return requests_; }  // whatever was answered
  std::int64_t refused() const { return refused_; }    // by a rule, or because of their key
  // The most requests with a time in (t - 1 s, t], over all t so far.
  std::int64_t max_in_any_second() const { return max_in_any_second_; }

 private:
  struct Slot {
    Member member;
    fake_mail::Key proper;
    std::uint32_t others = 0;  // the first of its `other_keys_`, counted from 1; 0: none
  };
  struct OtherKey {
    fake_mail::Key key;
    std::uint32_t number = 0;
    std::uint32_t next = 0;  // of the same member, as in Slot
  };
  struct Withheld {
    core::MemberId member{};
    std::uint32_t key = no_key;
    std::uint32_t owner = 0;
  };

  std::size_t index_of(core::MemberId member) const;
  // Returns: null for a key that no delivery bore, and for no key.
  fake_mail::Key* known_key(Slot& slot, std::uint32_t number);
  void count_arrival(core::Instant now);
  fake_mail::Answer decide_and_deliver(const MailRequest& request, Slot& slot);
  void remember(Slot& slot, std::uint32_t number, const fake_mail::Key& key);

  std::shared_ptr<const fake_mail::Behaviour> behaviour_;
  std::vector<Slot> slots_;
  std::vector<OtherKey> other_keys_;
  fake_mail::Gate gate_;
  fake_mail::Freeze freeze_;
  std::optional<Withheld> withheld_;
  fake_mail::RecentTimes last_second_;
  core::Instant now_ = never;
  std::int64_t accepted_ = 0, deliveries_ = 0, repeats_ = 0, requests_ = 0, refused_ = 0;
  std::int64_t max_in_any_second_ = 0;
};
static_assert(sizeof(ProviderModel::Member) <= 48);

}  // namespace sim
