// When to record, and what.
#include <algorithm>

#include "core/worker.h"

namespace core {

bool Worker::record_is_due(const Claim& claim, bool urgent_only) const {
  if (claim.lost) return false;
  const std::int64_t answered = claim.in(MemberPhase::answered);
  const bool ends = claim.can_end() && (answered > 0 || !claim.retries || claim.unstarted() > 0);
  if (urgent_only) {
    return answered >= policy_.record_at() ||
           (answered > 0 && started_unrecorded_ >= policy_.batch);
  }
  if (ends) return true;
  if (answered == 0) return false;
  // A rest that nothing more joins: what is in flight is slow, or the worker is leaving.
  return std::any_of(claim.members().begin(), claim.members().end(),
                     [&](const ClaimMember& member) {
                       return member.phase == MemberPhase::answered &&
                              now_ - member.at >= policy_.record_at_least_every;
                     });
}

std::optional<StoreCommand> Worker::next_record(bool urgent_only) {
  Claim* fullest = nullptr;
  for (Claim& claim : claims_) {
    if (!record_is_due(claim, urgent_only)) continue;
    if (fullest == nullptr || claim.in(MemberPhase::answered) > fullest->in(MemberPhase::answered))
      fullest = &claim;
  }
  if (fullest == nullptr) return std::nullopt;
  return record_of(*fullest);
}

StoreCommand Worker::record_of(Claim& claim) {
  RecordBatch record;
  record.batch = claim.batch;
  record.token = claim.token;
  record.ends = !claim.retries && claim.can_end();
  record.keep_doubt = claim.doubtful;
  for (std::size_t i = 0; i < claim.members().size(); ++i) {
    ClaimMember& member = claim.at(i);
    const bool unsent = member.phase == MemberPhase::open || member.phase == MemberPhase::checked;
    if (unsent && claim.retries && claim.releasing) {
      member.fate = Fate::released;
      claim.move(i, MemberPhase::answered);
    } else if (unsent && record.ends) {
      claim.move(i, MemberPhase::settled);
      continue;
    }
    if (member.phase != MemberPhase::answered) continue;
    if (member.fate == Fate::sent) {
      record.sent.push_back(member.member.id);
    } else {
      record.others.push_back(outcome_of(member, policy_));
    }
    claim.move(i, MemberPhase::recording);
  }
  if (!claim.retries) return record;
  return RecordRetries{record.token, std::move(record.sent), std::move(record.others)};
}

}  // namespace core
