// Wrong idempotency keys and payloads.
#include <algorithm>
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::MemberId;

// Returns: which request of this process about the member it is, from 1.
std::uint32_t attempt_of(Sabotage& process, MemberId member) {
  process.members.push_back(member);
  return static_cast<std::uint32_t>(
      std::count(process.members.begin(), process.members.end(), member));
}

void no_key(Sabotage&, MemberId, MailText& mail) {
  mail.key = 0;
}

void attempt_in_key(Sabotage& process, MemberId member, MailText& mail) {
  mail.key = attempt_of(process, member);
}

void attempt_in_payload(Sabotage& process, MemberId member, MailText& mail) {
  mail.payload = attempt_of(process, member);
}

void remember_the_claim(Sabotage& process, core::StoreCommand& command) {
  if (const auto* claim = std::get_if<core::ClaimBatch>(&command))
    process.count = static_cast<std::int64_t>(claim->token.low % 1'000'000'000);
}

void claim_in_key(Sabotage& process, MemberId, MailText& mail) {
  mail.key = static_cast<std::uint32_t>(process.count) + 2;
}

void first_try_503(WorldSettings& world) {
  world.provider.rules.push_back({503, 3, 1});
}

void a_crash(WorldSettings& world) {
  world.budget[Fault::kill] = 1;
}

constexpr std::array bugs{
    PlantedBug{.name = "no-key",
               .story = "Requests bear no idempotency key: a member of a crashed claim gets two "
                        "mails.",
               .caught_by = Oracle::S1,
               .only = true,
               .plant = a_crash,
               .mail = no_key},
    PlantedBug{.name = "attempt-in-the-key",
               .story = "Each attempt has a key of its own, so that the provider can't know them "
                        "for one mail.",
               .caught_by = Oracle::S7,
               .only = true,
               .plant = first_try_503,
               .mail = attempt_in_key},
    PlantedBug{.name = "claim-in-the-key",
               .story = "The key is made of the claim: whoever takes over a crashed claim asks "
                        "under other keys.",
               .caught_by = Oracle::S7,
               .plant = a_crash,
               .command = remember_the_claim,
               .mail = claim_in_key},
    PlantedBug{.name = "attempt-in-the-payload",
               .story = "Each attempt has another text under the same key.",
               .caught_by = Oracle::S7,
               .only = true,
               .plant = first_try_503,
               .mail = attempt_in_payload},
};

}  // namespace

std::span<const PlantedBug> keys() {
  return bugs;
}

}  // namespace sim::bugs
