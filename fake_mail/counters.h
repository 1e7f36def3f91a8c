// What the provider has counted so far.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fake_mail {

struct OwnerCounters {
  std::int64_t accepted = 0;
  std::int64_t requests = 0;
  std::int64_t connections = 0;
  bool operator==(const OwnerCounters&) const = default;
};

struct Counters {
  std::int64_t accepted = 0;          // deliveries, a member's second one included
  std::int64_t accepted_members = 0;  // members with at least one delivery
  std::int64_t requests = 0;          // every one that was read, 4xx, 429 and 503 included
  std::int64_t repeats = 0;           // absorbed because of their key
  std::int64_t refused =
      0;  // by a rule, a malformed body, a key with another payload or in progress
  std::int64_t open_requests =
      0;  // read and not answered yet, the withheld and the frozen included
  std::int64_t max_in_any_second =
      0;  // requests with a provider time in (t - 1 s, t], the largest over all t
  std::map<std::string, OwnerCounters> by_owner;
  bool operator==(const Counters&) const = default;
};

}  // namespace fake_mail
