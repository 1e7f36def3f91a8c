#include "sim/world/oracle.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::array<OracleText, oracle_count> texts{{
    {"S1", "a member gets at most one mail"},
    {"S2", "after opting out nobody is claimed, and no request starts more than 100 ms later"},
    {"S3", "a member has at most one live claim, and requests start under a live claim alone"},
    {"S4", "a fencing token belongs to one claim; once that has ended it changes nothing"},
    {"S5", "a row that has ended stays as it is, and every row is one that the schema allows"},
    {"S6",
     "attempts are answers, bounded, a backoff apart, none an outage's; 422 is final; only 200 "
     "sent"},
    {"S7", "all requests for a member bear the same idempotency key and payload"},
    {"S8", "a claim gets no more members than were asked for"},
    {"S9", "no request starts inside a database transaction"},
    {"S10", "whoever is recorded sent was accepted by the provider"},
    {"S11", "a worker holds at most three claims of a batch"},
    {"S12", "nobody is left over: a worker ends as done only when no member remains"},
    {"S13", "no second holds more requests than the limit, a common pause holds none"},
    {"S14", "a claim never waits for a lock"},
    {"S15", "a worker has at most one batch of members sent and not yet recorded"},
    {"S16", "no request bears a key that the provider may have forgotten"},
    {"S17", "of the batches that are free the most important one is claimed"},
    {"S18", "in a paused campaign nobody is claimed, and no request starts more than 100 ms later"},
    {"S19", "no request starts outside of the campaign's window, or after its last date"},
    {"L", "once the faults are over, every member and batch comes to an end"},
    {"A", "the sender's own assertions hold"},
}};

}  // namespace

const OracleText& text_of(Oracle oracle) {
  return texts.at(static_cast<std::size_t>(oracle));
}

std::optional<Oracle> oracle_named(std::string_view name) {
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const OracleText& t) { return t.name == name; });
  if (found == texts.end()) return std::nullopt;
  return static_cast<Oracle>(found - texts.begin());
}

}  // namespace sim
