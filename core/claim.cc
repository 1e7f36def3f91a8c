#include "core/claim.h"

#include <algorithm>

#include "core/assert.h"

namespace core {
namespace {

std::string reason_of(const ClaimMember& member) {
  if (member.status > 0) return "http " + std::to_string(member.status);
  return member.kind == AnswerKind::in_doubt ? "no answer" : "no connection";
}

}  // namespace

void Claim::add(const ClaimMember& member) {
  members_.push_back(member);
  ++counts_[static_cast<std::size_t>(member.phase)];
}

void Claim::move(std::size_t index, MemberPhase to) {
  MemberPhase& phase = members_[index].phase;
  --counts_[static_cast<std::size_t>(phase)];
  phase = to;
  ++counts_[static_cast<std::size_t>(phase)];
  if (to == MemberPhase::open || to == MemberPhase::checked) {
    first_unstarted_ = std::min(first_unstarted_, index);
  }
  while (first_unstarted_ < members_.size() &&
         members_[first_unstarted_].phase > MemberPhase::checked) {
    ++first_unstarted_;
  }
}

bool Claim::can_end() const {
  return in(MemberPhase::flying) + in(MemberPhase::held) + in(MemberPhase::recording) == 0 &&
         (releasing || unstarted() == 0);
}

Outcome outcome_of(const ClaimMember& member, const Policy& policy) {
  Outcome outcome;
  outcome.member = member.member.id;
  outcome.attempts = member.member.attempts;
  outcome.expired_claims = member.member.expired_claims;
  outcome.doubt = member.doubt;
  switch (member.fate) {
    case Fate::sent:
      ASSERT(false && "a sent member is recorded by its id alone");
      break;
    case Fate::refused:
      outcome.state = RowState::failed;
      outcome.reason = reason_of(member);
      outcome.attempts += 1;
      outcome.doubt = false;
      break;
    case Fate::retry:
      outcome.attempts += 1;
      outcome.expired_claims = 0;
      outcome.reason = reason_of(member);
      outcome.delay = member.delay;
      if (outcome.attempts >= policy.attempts_max) {
        outcome.state = outcome.doubt ? RowState::unknown : RowState::failed;
        outcome.delay.reset();
      }
      break;
    case Fate::wait:
      outcome.expired_claims = 0;
      outcome.reason = reason_of(member);
      outcome.delay = member.delay;
      break;
    case Fate::put_aside:
      outcome.state = RowState::unknown;
      outcome.reason =
          member.member.expired_claims >= policy.poison_after ? "poison" : "dedupe window over";
      outcome.doubt = true;
      break;
    case Fate::scattered:
      outcome.delay = Duration(0);
      outcome.reason = "claims expired";
      break;
    case Fate::unsendable:
      outcome.state = RowState::failed;
      outcome.reason = "address";
      outcome.doubt = false;
      break;
    case Fate::released:
      break;
  }
  return outcome;
}

}  // namespace core
