#include "sim/world/oracle.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::array<OracleText, oracle_count> texts{{
    {"S1", "a member gets at most one delivery"},
    {"S2", "nobody is claimed after opting out, nor asked for more than 100 ms after"},
    {"S3", "a member has at most one live claim, and is asked for under it alone"},
    {"S4", "a token opens one claim, and changes what is its own while that lives"},
    {"S5", "an ended row stays as it is, and every row is a legal one"},
    {"S6", "attempts are answers, bounded and apart; a refusal is final, only 200 is sent"},
    {"S7", "the same member, the same key, the same payload"},
    {"S8", "a claim returns no more than was asked for"},
    {"S9", "no request starts inside a transaction"},
    {"S10", "who is recorded sent was accepted"},
    {"S11", "a worker holds a bounded number of members"},
    {"S12", "members are conserved: nobody vanishes, nobody falls between the claims"},
    {"S13", "no second holds more requests than the limit, a common pause holds none"},
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
