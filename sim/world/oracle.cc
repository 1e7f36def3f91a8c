#include "sim/world/oracle.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::array<OracleText, oracle_count> texts{{
    {"S1", "a member gets at most one delivery"},
    {"S2", "no request starts more than 100 ms after the opt-out's commit"},
    {"S3", "a member has at most one live claim"},
    {"S4", "a stale token changes nothing"},
    {"S5", "an ended row stays as it is, and every row is a legal one"},
    {"S6", "who was refused is not asked again, 503 is not sent, attempts are bounded"},
    {"S7", "the same member, the same key, the same payload"},
    {"S8", "a claim returns no more than was asked for"},
    {"S9", "no request starts inside a transaction"},
    {"S10", "who is recorded sent was accepted"},
    {"S11", "a worker holds a bounded number of members"},
    {"S12", "members are conserved: nobody vanishes, nobody falls between the claims"},
    {"S13", "no second holds more requests than the limit"},
    {"S14", "a claim never waits for a lock"},
    {"S15", "started and unrecorded members never exceed a batch a worker"},
    {"S16", "no key is used when the provider may have forgotten it"},
    {"L", "once the faults are over, everything ends"},
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
