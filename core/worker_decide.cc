// What held answers mean: the member's own trouble, the provider's weather, or a wrong set-up.
#include <algorithm>

#include "core/retry.h"
#include "core/worker.h"

namespace core {
namespace {

constexpr std::int64_t endpoint_answers_to_stop = 20;
constexpr int probes_to_doubt_the_weather = 4;  // with their pauses, seven and a half minutes

}  // namespace

void Worker::decide() {
  const bool in_pause = pausing();
  const bool weather = !in_pause && (weather_.declared(now_) || probing_);
  bool declared = false;
  Duration asked{0};  // by Retry-After
  for (Claim& claim : claims_) {
    if (claim.in(MemberPhase::held) == 0) continue;
    const Outlook outlook = this->outlook();
    for (std::size_t i = 0; i < claim.members().size(); ++i) {
      if (claim.members()[i].phase != MemberPhase::held) continue;
      const AnswerKind kind = claim.members()[i].kind;
      if (kind == AnswerKind::credentials) {
        give_back(claim, i);
      } else if (kind == AnswerKind::endpoint) {
        decide_endpoint(claim, i);
      } else {
        asked = std::max(asked, claim.members()[i].delay);
        decide_bad(claim, i, weather || in_pause, outlook);
        declared = declared || (weather && (probing_ || weather_.declared(now_)));
      }
    }
  }
  if (!declared) return;
  want_pause_ = std::max({want_pause_.value_or(Duration(0)), weather_pause_, asked});
  weather_pause_ = std::min(weather_pause_ * 2, policy_.weather_pause_max);
  weather_.clear();
  probing_ = true;
}

// The member's own if others are sent after it; the set-up's if nobody is.
void Worker::decide_endpoint(Claim& claim, std::size_t index) {
  const ClaimMember& member = claim.members()[index];
  if (sent_since(member)) return judge(claim, index, Fate::refused);
  const bool last = nothing_to_learn(member, outlook());
  if (endpoint_answers_ >= endpoint_answers_to_stop || (last && !any_sent())) {
    drain(ExitCode::refused, "the provider answered " + std::to_string(member.status) +
                                 " to everybody: check MAIL_URL and the credentials");
    give_back(claim, index);
  } else if (phase_ >= Phase::draining) {
    give_back(claim, index);
  } else if (last) {
    judge(claim, index, Fate::refused);
  }
}

void Worker::decide_bad(Claim& claim, std::size_t index, bool weather, Outlook outlook) {
  const ClaimMember& member = claim.members()[index];
  const bool waited_enough = nothing_to_learn(member, outlook);
  if (weather && probing_ && !pausing()) doubt_weather(member);
  if (!tells_weather(member) && !pausing()) {
    judge(claim, index, Fate::retry);
    return;
  }
  // Leaving: nothing more will be learnt about an answer that may be the weather's, so it costs the
  // member nothing.
  if (weather && probing_ && !pausing()) {
    judge(claim, index, Fate::wait);  // the next probe is about another member
  } else if (weather || (phase_ >= Phase::draining && weather_.suspect())) {
    give_back(claim, index);
  } else if (!weather_.suspect() || (weather_.too_few() && waited_enough)) {
    judge(claim, index, Fate::retry);
  }
}

// An attempt is counted in good weather only, so a member that has one failed while others were
// sent. When nobody else is left, such members alone look like an outage that never ends: nobody
// would be sent any more, and none of them would come to its five attempts.
void Worker::doubt_weather(const ClaimMember& probed) {
  probes_of_known_ = probed.member.attempts == 0 ? 0 : probes_of_known_ + 1;
  if (probes_of_known_ < probes_to_doubt_the_weather) return;
  trouble_is_theirs_ = true;
  probing_ = false;
  weather_pause_ = policy_.weather_pause;
  weather_.clear();
}

// From others, about what the member's answer means.
bool Worker::nothing_to_learn(const ClaimMember& member, Outlook outlook) const {
  return outlook == Outlook::nothing ||
         (outlook == Outlook::maybe && now_ >= member.at + Weather::undecided_max);
}

Worker::Outlook Worker::outlook() const {
  if (in_flight_ > 0) return Outlook::answers;
  if (phase_ >= Phase::draining) return Outlook::nothing;
  if (unstarted() > 0)
    return started_unrecorded_ < policy_.batch ? Outlook::answers : Outlook::nothing;
  const bool work_left = !(looks_[batches].none && looks_[retries].none);
  return may_claim() && work_left ? Outlook::maybe : Outlook::nothing;
}

// Not the member's fault: it costs no attempt. One that was surely not sent goes back unsent with
// its batch; one in doubt needs its doubt written down, and so waits in the retry pool.
void Worker::give_back(Claim& claim, std::size_t index) {
  ClaimMember& member = claim.at(index);
  if (member.doubt) {
    judge(claim, index, Fate::wait);
  } else if (claim.retries) {
    member.fate = Fate::released;
    claim.move(index, MemberPhase::answered);
  } else {
    claim.move(index, MemberPhase::settled);
    --started_unrecorded_;
    looks_[batches].none = false;
  }
}

void Worker::judge(Claim& claim, std::size_t index, Fate fate) {
  ClaimMember& member = claim.at(index);
  member.fate = fate;
  if (fate == Fate::retry || fate == Fate::wait) {
    const int attempt = member.member.attempts + 1;
    Duration own =
        backoff(policy_, jitter_seed_, member.member.id, fate == Fate::retry ? attempt : 1);
    const bool last = fate == Fate::retry && attempt == policy_.attempts_max - 1;
    if (last && bad_in_a_row_ >= bad_to_doubt_anybody) own += policy_.last_try;
    // Jitter on top of a pause, so that those who waited don't come back in one wave.
    const Duration pause =
        fate == Fate::wait && member.kind != AnswerKind::throttled ? weather_pause_ : Duration(0);
    member.delay = std::max(pause + own, member.delay);
  }
  claim.move(index, MemberPhase::answered);
}

}  // namespace core
