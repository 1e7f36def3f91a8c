// Every number of the sender, its unit and its reason, validated together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/time.h"

namespace core {

struct Policy {
  static constexpr std::int64_t lanes_most = 1000;
  static constexpr std::int64_t batch_most = 10'000;
  static constexpr std::int64_t rate_per_s_most = 100'000;

  // Most members started and not yet recorded: also the most that one crash may repeat.
  std::int64_t batch = 200;
  // Sends in flight: 150 ms x 500/s needs 75.
  std::int64_t lanes = 100;

  // lease = budget 60 + worst send 7 + record 10 + margin 13: whoever holds a claim has stopped
  // sending and has recorded before anyone can take it over.
  Duration lease = 90s;
  Duration batch_budget = 60s;  // no request of a batch starts later than this after its claim
  Duration connect_timeout = 2s;
  Duration read_timeout = 5s;        // worst send = connect + read
  Duration statement_timeout = 10s;  // the worst record
  Duration least_margin = 3s;        // of the lease, over all of these

  int attempts_max = 5;    // answers about the member; claims are counted apart
  Duration backoff = 30s;  // doubles: 30, 60, 120, 240
  Duration backoff_max = 600s;
  // Before a member's last try, while nobody at all is accepted: five tries outlast an outage of an
  // hour, even where too few members are left to tell one.
  Duration last_try = 3600s;
  Duration retry_after_max = std::chrono::hours(24);  // of a longer Retry-After as much counts

  int failed_permille_max = 10;  // a higher ratio makes the exit code 2

  // No request starts later after its opt-out check. The promise, S2, is 100 ms: 20 are left for
  // the request's way.
  Duration recheck_max_age = 80ms;
  std::int64_t recheck_group = 50;  // members a check; 50 cost 2.7 us a mail, one by one 106

  std::int64_t rate_per_s = 500;  // of the provider, all workers together; 0: no limit
  int pace_permille =
      985;  // of the limit: what network jitter needs to stay under it in any second
  Duration slot_max_lateness = 5ms;  // a slot missed by more is forfeited
  Duration min_interval{0};          // least time between two requests of this process

  Duration dedupe_window = std::chrono::hours(24);  // how long the provider remembers a key
  Duration dedupe_margin =
      10min;  // no key is used again later than window - margin after its first use

  int suspect_after = 2;  // claims ended by expiry before a member is claimed alone
  int poison_after = 5;   // 2 in company + 3 alone: set aside as unknown

  Duration weather_pause = 30s;  // after most answers were 5xx, 429 or time-outs; doubles
  Duration weather_pause_max = 300s;
  Duration throttle_pause = 1s;  // after a 429 without Retry-After

  Duration record_at_least_every = 1s;
  Duration poll_max = 5s;            // between two looks for work
  Duration database_patience = 60s;  // a database away for longer ends the run with exit 1
  Duration deadline = 3000s;         // of the process

  Duration worst_send() const { return connect_timeout + read_timeout; }
  // Answered and unrecorded members at which a record is due.
  std::int64_t record_at() const;
  Duration lease_needed() const;

  // Everything that is wrong, one line each with the arithmetic and what would be right; empty:
  // valid.
  std::vector<std::string> problems() const;
};

// "90 s", "1500 ms": for messages.
std::string to_text(Duration duration);

}  // namespace core
