// The ground truth: what was delivered to whom, which keys are remembered, and every request.
// Decides nothing.
//
// Ownership: a value; copying it copies the provider's whole past.
// Memory: about 100 bytes for a request with a key and a recipient of its own, less for repeats
// (fake_mail_bench).
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <string_view>

#include "fake_mail/clock.h"
#include "fake_mail/counters.h"
#include "fake_mail/key.h"
#include "fake_mail/request_log.h"
#include "fake_mail/string_pool.h"

namespace fake_mail {

// Who asked for whom under which key, as numbers of the pools. Key 0 is no key.
struct Parties {
  std::uint32_t owner = 0;
  std::uint32_t recipient = 0;
  std::uint32_t key = 0;
};

class Ledger {
 public:
  Parties know(std::string_view owner, std::string_view recipient, std::string_view key);

  // Returns: the number of this try for the recipient, from 1, whoever made the earlier ones.
  std::int64_t begin_try(std::uint32_t recipient);

  // Returns: unseen for no key.
  KeyState key_state(std::uint32_t key, std::uint64_t payload, ProviderTime now,
                     core::Duration window) const {
    return key_states_[key].state(payload, now, window);
  }

  // A delivery whose key stays in progress until `answered`.
  void deliver(const Parties& parties, std::uint64_t payload, ProviderTime now,
               ProviderTime answered);
  // The withheld answer of this key's delivery is let go.
  void finish(std::uint32_t key) { key_states_[key].finish(); }

  void log(const Parties& parties, Arrival arrival, int status, Outcome outcome);
  // Requires: such a request was logged with status 0.
  void answer_late(const Parties& parties, Arrival arrival, int status);
  void log_connection(std::string_view owner);

  std::int64_t accepted() const { return static_cast<std::int64_t>(accept_owners_.size()); }
  // Requires: 1 <= number <= accepted().
  std::string_view owner_of_accept(std::int64_t number) const;
  std::string_view owner_name(std::uint32_t owner) const { return owners_.text(owner); }

  // open_requests is 0: the ledger doesn't know of answers under way.
  Counters counters(const SkippedTime& clock);

  // CSV in the order of arrival, with the header
  // arrival_us,owner,recipient,key,status,outcome. Status 0: no answer was given.
  void write_csv(std::ostream& out) const;

 private:
  struct RecipientCounts {
    std::uint32_t tries : 31 = 0;
    std::uint32_t delivered : 1 = 0;
  };

  StringPool owners_, recipients_, keys_;
  std::deque<OwnerCounters> owner_counts_;
  std::deque<RecipientCounts> recipient_counts_;
  std::deque<Key> key_states_;               // that of no key stays unseen
  std::deque<std::uint16_t> accept_owners_;  // of delivery 1, 2, ...
  RequestLog log_;
  std::int64_t accepted_members_ = 0, repeats_ = 0, refused_ = 0;
};

}  // namespace fake_mail
