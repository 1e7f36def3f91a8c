#include "core/claim.h"

#include <gtest/gtest.h>

namespace core {
namespace {

ClaimMember member(std::int64_t id, MemberPhase phase = MemberPhase::open) {
  ClaimMember made;
  made.member.id = MemberId(id);
  made.phase = phase;
  return made;
}

Claim claim_of(int members) {
  Claim claim;
  for (int id = 1; id <= members; ++id) claim.add(member(id));
  return claim;
}

TEST(Claim, CountsWhereItsMembersStand) {
  Claim claim = claim_of(3);
  EXPECT_EQ(claim.in(MemberPhase::open), 3);
  claim.move(0, MemberPhase::checked);
  claim.move(1, MemberPhase::flying);
  EXPECT_EQ(claim.in(MemberPhase::open), 1);
  EXPECT_EQ(claim.unstarted(), 2);
  EXPECT_EQ(claim.in(MemberPhase::flying), 1);
}

TEST(Claim, TheFirstUnstartedFollowsBothWays) {
  Claim claim = claim_of(3);
  claim.move(1, MemberPhase::flying);
  EXPECT_EQ(claim.first_unstarted(), 0u);
  claim.move(0, MemberPhase::flying);
  EXPECT_EQ(claim.first_unstarted(), 2u);
  claim.move(2, MemberPhase::settled);
  EXPECT_EQ(claim.first_unstarted(), 3u);
  claim.move(0, MemberPhase::open);
  EXPECT_EQ(claim.first_unstarted(), 0u);
}

TEST(Claim, CanEndOnlyWhenNobodyIsLeftUnclear) {
  Claim claim = claim_of(2);
  EXPECT_FALSE(claim.can_end());
  claim.move(0, MemberPhase::answered);
  claim.move(1, MemberPhase::flying);
  EXPECT_FALSE(claim.can_end());
  claim.move(1, MemberPhase::held);
  EXPECT_FALSE(claim.can_end());
  claim.move(1, MemberPhase::answered);
  EXPECT_TRUE(claim.can_end());
  claim.move(1, MemberPhase::open);
  EXPECT_FALSE(claim.can_end());
  claim.releasing = true;
  EXPECT_TRUE(claim.can_end());
}

TEST(Claim, AnAnswerAboutTheMemberUsesAnAttempt) {
  ClaimMember retried = member(7);
  retried.fate = Fate::retry;
  retried.member.attempts = 3;
  retried.status = 503;
  retried.delay = 30s;
  const Outcome fourth = outcome_of(retried, Policy{});
  EXPECT_EQ(fourth.state, RowState::pending);
  EXPECT_EQ(fourth.attempts, 4);
  EXPECT_EQ(fourth.delay, 30s);
  EXPECT_EQ(fourth.reason, "http 503");
  retried.member.attempts = 4;
  const Outcome last = outcome_of(retried, Policy{});
  EXPECT_EQ(last.state, RowState::failed);
  EXPECT_EQ(last.attempts, 5);
  EXPECT_EQ(last.delay, std::nullopt);
}

// Whether it got the mail is not known: a person decides, and not "failed", which says that it did
// not.
TEST(Claim, TheLastAttemptOfAMemberInDoubtLeavesItUnknown) {
  ClaimMember retried = member(7);
  retried.fate = Fate::retry;
  retried.kind = AnswerKind::in_doubt;
  retried.doubt = true;
  retried.member.attempts = 4;
  const Outcome last = outcome_of(retried, Policy{});
  EXPECT_EQ(last.state, RowState::unknown);
  EXPECT_TRUE(last.doubt);
  EXPECT_EQ(last.reason, "no answer");
}

TEST(Claim, WaitingCostsNoAttempt) {
  ClaimMember waits = member(7);
  waits.fate = Fate::wait;
  waits.member.attempts = 4;
  waits.delay = 40s;
  const Outcome outcome = outcome_of(waits, Policy{});
  EXPECT_EQ(outcome.state, RowState::pending);
  EXPECT_EQ(outcome.attempts, 4);
  EXPECT_EQ(outcome.delay, 40s);
}

TEST(Claim, AReleasedMemberIsAsItWas) {
  ClaimMember released = member(7);
  released.fate = Fate::released;
  released.member.attempts = 2;
  released.member.expired_claims = 3;
  released.doubt = true;
  const Outcome outcome = outcome_of(released, Policy{});
  EXPECT_EQ(outcome.state, RowState::pending);
  EXPECT_EQ(outcome.attempts, 2);
  EXPECT_EQ(outcome.expired_claims, 3);
  EXPECT_EQ(outcome.delay, std::nullopt);
  EXPECT_TRUE(outcome.doubt);
}

TEST(Claim, ARefusalLeavesNoDoubt) {
  ClaimMember refused = member(7);
  refused.fate = Fate::refused;
  refused.status = 422;
  refused.doubt = true;
  const Outcome outcome = outcome_of(refused, Policy{});
  EXPECT_EQ(outcome.state, RowState::failed);
  EXPECT_EQ(outcome.reason, "http 422");
  EXPECT_FALSE(outcome.doubt);
}

}  // namespace
}  // namespace core
