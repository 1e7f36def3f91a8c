// The provider with its whole past: answers one request at one time, by the decisions of gate.h and
// decide.h. The server serves it over HTTP.
//
// Ownership: a value.
// Threads: none; the caller serialises.
// Time: passed in with each call; it may go back by a little between requests (threads race) and
// never blocks. Deterministic: faults and latencies are functions of (seed, recipient, try).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fake_mail/answer.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/clock.h"
#include "fake_mail/freeze.h"
#include "fake_mail/gate.h"
#include "fake_mail/ledger.h"

namespace fake_mail {

struct Request {
  std::string_view owner;      // who sent it
  std::string_view recipient;  // the member's id, else the address
  std::string_view key;        // "": none
  std::uint64_t payload = 0;   // hash of the body
  Arrival arrival;
};

class Provider {
 public:
  explicit Provider(Behaviour behaviour = {}) : behaviour_(std::move(behaviour)) {}

  // The past stays: tries, keys and deliveries are kept.
  void set_behaviour(Behaviour behaviour) { behaviour_ = std::move(behaviour); }

  // With `freeze` (of any trigger at this number), the answer of this delivery is withheld and
  // nothing after it is accepted until a thaw. Requires: accept > accepted so far, else it never
  // fires.
  void set_trigger(std::int64_t accept, bool freeze) {
    if (freeze) freeze_.at_delivery(accept);
  }

  bool frozen() const { return freeze_.frozen(); }
  void freeze() { freeze_.now(); }
  // Withheld answers are let go. Requests of dropped owners are gone for good, those that are still
  // in some buffer too: these processes were killed, and their numbers aren't given to later ones.
  void thaw(const std::vector<std::string>& dropped_owners);
  bool dropped(std::string_view owner) const { return dropped_.contains(owner); }

  // Everything is answered 503 from now on for `lasts`.
  void begin_outage(Arrival now, core::Duration lasts) {
    gate_.begin_outage(clock_.at(now) + lasts);
  }
  void advance_clock(Arrival now, core::Duration by) { clock_.skip(now, by); }

  // Decides and records. In this order: outage, rate limit, rules, key, faults by chance, delivery.
  // A request that an outage or the limit turned away is no try of its recipient. Requires: not
  // frozen, owner not dropped.
  Answer answer(const Request& request);

  // A body that could not be read: 400, logged without recipient and key. Requires: as above.
  Answer refuse_malformed(std::string_view owner, Arrival arrival);

  void log_connection(std::string_view owner) { ledger_.log_connection(owner); }
  Counters counters() { return ledger_.counters(clock_); }
  Ledger& ledger() { return ledger_; }
  const Ledger& ledger() const { return ledger_; }

 private:
  struct Withheld {
    Parties parties;
    Arrival arrival;
  };

  Answer decide_and_deliver(const Request& request, const Parties& parties, ProviderTime now);

  Behaviour behaviour_;
  SkippedTime clock_;
  Ledger ledger_;
  Gate gate_;
  Freeze freeze_;
  std::vector<Withheld> withheld_;
  std::set<std::string, std::less<>> dropped_;
};

}  // namespace fake_mail
