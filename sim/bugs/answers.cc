// Wrong readings of the provider's answers, and wrong counts of them.
#include <array>

#include "sim/bugs/families.h"
#include "sim/world/settings.h"

namespace sim::bugs {
namespace {

using core::MemberId;
using core::SendAnswer;
using core::Transport;
using core::operator""s;

template <int from, int to>
void misread(Sabotage&, MemberId, SendAnswer& answer) {
  if (answer.transport == Transport::answered && answer.status == from) answer.status = to;
}

void no_answer_is_sent(Sabotage&, MemberId, SendAnswer& answer) {
  if (answer.transport == Transport::in_doubt) answer = {Transport::answered, 200, {}};
}

void no_answer_is_failed(Sabotage&, MemberId, SendAnswer& answer) {
  if (answer.transport == Transport::in_doubt) answer = {Transport::answered, 422, {}};
}

void no_answer_is_not_sent(Sabotage&, MemberId, SendAnswer& answer) {
  if (answer.transport == Transport::in_doubt) answer = {Transport::not_sent, 0, {}};
}

void counts_the_claim(Sabotage&, const core::StoreCommand&, core::StoreAnswer& answer) {
  auto* claimed = std::get_if<core::Claimed>(&answer.result);
  if (claimed == nullptr) return;
  for (core::ClaimedMember& member : claimed->members) ++member.attempts;
}

template <int status, int every, int tries>
void provider_answers(WorldSettings& world) {
  world.provider.rules.push_back({status, every, tries});
}

void provider_falls_silent(WorldSettings& world) {
  world.provider.permille_accept_then_silence = 300;
}

void tries_for_ever(WorldSettings& world) {
  world.policy.attempts_max = 2;
  world.provider.rules.push_back({503, 3, 0});
  world.worker_policy = world.policy;
  world.worker_policy->attempts_max = 1000;
}

void no_backoff(WorldSettings& world) {
  world.provider.rules.push_back({503, 3, 2});
  world.worker_policy = world.policy;
  world.worker_policy->backoff = world.worker_policy->backoff_max = 1s;
}

constexpr std::array bugs{
    PlantedBug{.name = "unavailable-taken-for-sent",
               .story = "A 503 is recorded as sent, and the member never gets its mail.",
               .caught_by = Oracle::S10,
               .plant = provider_answers<503, 3, 1>,
               .sent = misread<503, 200>},
    PlantedBug{.name = "no-answer-taken-for-sent",
               .story = "A request that timed out is recorded as sent, though nobody has said so.",
               .caught_by = Oracle::S6,
               .plant = provider_falls_silent,
               .sent = no_answer_is_sent},
    PlantedBug{.name = "no-answer-taken-for-failed",
               .story = "A request that timed out is recorded as failed, though the member got its "
                        "mail.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = provider_falls_silent,
               .sent = no_answer_is_failed},
    PlantedBug{.name = "no-answer-taken-for-not-sent",
               .story = "Requests that timed out count as surely not accepted: after the last "
                        "attempt a member who got its mail is failed.",
               .caught_by = Oracle::S6,
               .plant =
                   [](WorldSettings& world) {
                     world.policy.attempts_max = 1;
                     provider_falls_silent(world);
                   },
               .sent = no_answer_is_not_sent},
    PlantedBug{.name = "refused-and-tried-again",
               .story = "A 422, which will never be another answer, is tried again.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = provider_answers<422, 3, 0>,
               .sent = misread<422, 503>},
    PlantedBug{.name = "throttling-counted-as-an-attempt",
               .story = "A 429 costs its member an attempt, though it says nothing about the "
                        "member.",
               .caught_by = Oracle::S6,
               .plant = provider_answers<429, 3, 1>,
               .sent = misread<429, 503>},
    PlantedBug{.name = "attempts-counted-at-claim",
               .story = "Every claim costs its members an attempt, so crashes use them up.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = provider_answers<503, 3, 1>,
               .answer = counts_the_claim},
    PlantedBug{.name = "attempts-unbounded",
               .story = "A member whom the provider can't serve is tried for ever.",
               .caught_by = Oracle::S6,
               .plant = tries_for_ever},
    PlantedBug{.name = "no-backoff",
               .story = "A member whom the provider can't serve now is tried again at once.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = no_backoff},
};

}  // namespace

std::span<const PlantedBug> answers() {
  return bugs;
}

}  // namespace sim::bugs
