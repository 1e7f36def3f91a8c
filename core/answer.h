// What a provider's answer means. The table of all of them is answer_table.h.
#pragma once

#include <cstdint>
#include <optional>

#include "core/time.h"

namespace core {

// How a request ended. Below 100 there was no status line.
enum class Transport : std::uint8_t {
  answered,   // a complete answer with a status
  not_sent,   // refused, unresolved, connect time-out: no byte of the request left
  in_doubt,   // time-out, reset or garbage after the request may have left
  untrusted,  // the certificate was not accepted
};

struct SendAnswer {
  Transport transport = Transport::answered;
  int status = 0;                       // HTTP status when answered
  std::optional<Duration> retry_after;  // as parsed by retry_after.h
};

enum class AnswerKind : std::uint8_t {
  sent,          // accepted: 200 alone
  refused,       // not accepted, the member's own fault: failed, never tried again
  not_accepted,  // not accepted this time
  in_doubt,      // accepted or not, nobody knows
  throttled,     // not accepted: everybody waits, no attempt is used
  endpoint,      // the member's only if others are sent, else the set-up's
  credentials,   // nobody can be sent
};

AnswerKind classify(const SendAnswer& answer);

// Whether an answer says that the provider, rather than the member, has a problem.
bool is_bad_weather(AnswerKind kind);

}  // namespace core
