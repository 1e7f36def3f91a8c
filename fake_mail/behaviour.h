// What the provider does with each request, as data: set by a scenario, sent to the server over its
// control API, used as it is by the simulator. Deterministic: the same seed and the same requests
// in the same order give the same answers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"

namespace fake_mail {

// Answers `status` to members whose id is divisible by `every`, on their first `tries` requests (0:
// always), without a delivery; status 0: delivers, never answers. The first that matches decides.
struct Rule {
  int status = 503;
  std::int64_t every = 1;
  std::int64_t tries = 0;
  bool operator==(const Rule&) const = default;
};

// `permille` of the requests take `latency`; the entries of a distribution add up to 1000.
struct LatencyShare {
  int permille = 1000;
  core::Duration latency{0};
  bool operator==(const LatencyShare&) const = default;
};

struct Behaviour {
  std::uint64_t seed = 1;
  std::int64_t limit_per_s = 0;       // requests in any sliding second before 429; 0: no limit
  core::Duration block{0};            // after a 429, everything is answered 429 for this long
  std::vector<LatencyShare> latency;  // empty: no delay
  core::Duration dedupe_window = core::Duration(std::chrono::hours(24));
  bool ignores_keys = false;  // the key is read and has no effect: every request is a delivery
  std::vector<Rule> rules;
  // Shares of all requests that no rule decided, drawn per (seed, member, try).
  int permille_503 = 0;
  int permille_422 = 0;
  int permille_429 = 0;
  int permille_accept_then_503 = 0;      // delivered, answered 503
  int permille_accept_then_silence = 0;  // delivered, never answered
  bool operator==(const Behaviour&) const = default;
};

}  // namespace fake_mail
