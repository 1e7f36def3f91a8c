// The provider: decides the answer to one request at one time. The server serves it over HTTP, the
// simulator calls it as it is.
//
// Ownership: a value.
// Threads: none; the caller serialises.
// Time: passed in with each call; it may go back by a little between requests (threads race) and
// never blocks. Deterministic: faults and latencies are functions of (seed, recipient, try).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fake_mail/behaviour.h"
#include "fake_mail/clock.h"
#include "fake_mail/ledger.h"
#include "fake_mail/rate_limit.h"

namespace fake_mail {

struct Request {
  std::string_view owner;      // who sent it
  std::string_view recipient;  // the member's id, else the address
  std::string_view key;        // "": none
  std::uint64_t payload = 0;   // hash of the body
  Arrival arrival;
};

struct Answer {
  int status = 0;  // 0: never answered
  Outcome outcome = Outcome::refused;
  core::Duration latency{0};      // from arrival to answer
  core::Duration retry_after{0};  // 0: no such header
  bool withheld = false;          // not answered before the next thaw
};

class Provider {
 public:
  explicit Provider(Behaviour behaviour = {}) : behaviour_(std::move(behaviour)) {}

  // The past stays: tries, keys and deliveries are kept.
  void set_behaviour(Behaviour behaviour) { behaviour_ = std::move(behaviour); }

  // With `freeze` (of any trigger at this number), the answer of this delivery is withheld and
  // nothing after it is accepted until a thaw. Requires: accept > accepted so far, else it never
  // fires.
  void set_trigger(std::int64_t accept, bool freeze) { triggers_[accept] |= freeze; }

  bool frozen() const { return frozen_; }
  void freeze() { frozen_ = true; }
  // Withheld answers are let go. Requests of dropped owners are gone for good, those that are still
  // in some buffer too: these processes were killed, and their numbers aren't given to later ones.
  void thaw(const std::vector<std::string>& dropped_owners);
  bool dropped(std::string_view owner) const { return dropped_.contains(owner); }

  // Everything is answered 503 from now on for `lasts`.
  void begin_outage(Arrival now, core::Duration lasts) { outage_until_ = clock_.at(now) + lasts; }
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

  Answer decide(const Request& request, const Parties& parties, ProviderTime now);
  Answer throttle(ProviderTime now);
  Answer decide_try(const Request& request, const Parties& parties, ProviderTime now);
  Answer deliver(const Request& request, const Parties& parties, ProviderTime now, Answer answer);
  const Rule* rule_for(std::string_view recipient, std::int64_t try_number) const;
  core::Duration latency_of(std::string_view recipient, std::int64_t try_number) const;

  Behaviour behaviour_;
  SkippedTime clock_;
  Ledger ledger_;
  RateLimit rate_limit_;
  ProviderTime blocked_until_ = ProviderTime::min();
  ProviderTime outage_until_ = ProviderTime::min();
  bool frozen_ = false;
  std::map<std::int64_t, bool> triggers_;
  std::vector<Withheld> withheld_;
  std::set<std::string, std::less<>> dropped_;
};

}  // namespace fake_mail
