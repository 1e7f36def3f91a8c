// Whatever the provider and the database answer, in whatever order: the worker's promises.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::LoneWorker;
using testing::without_rate;

SendAnswer any_answer() {
  const auto answer = [](Transport transport, int code) {
    return SendAnswer{transport, code, std::nullopt};
  };
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return answer(Transport::answered, 503);
    case 1:
      return answer(Transport::answered, 500);
    case 2:
      return answer(Transport::answered, 422);
    case 3:
      return answer(Transport::answered, 429);
    case 4:
      return answer(Transport::not_sent, 0);
    case 5:
      return answer(Transport::in_doubt, 0);
    default:
      return answer(Transport::answered, 200);
  }
}

// What becomes of a statement: mostly it is done and answered; else not done, or its answer is lost
// and it was done or not.
enum Fortune { answered, not_done, lost_done, lost_undone };

RC_GTEST_PROP(Worker, KeepsItsPromisesUnderAnyAnswers, ()) {
  Policy policy = without_rate();
  policy.deadline = 100h;
  policy.batch = *rc::gen::inRange(1, 12);
  policy.lanes = *rc::gen::inRange(1, 8);
  LoneWorker night(*rc::gen::inRange(1, 40), policy);
  const int unlucky_percent = *rc::gen::element(0, 5, 30);
  std::set<MemberId> accepted;
  std::map<MemberId, std::set<Token>> sent_in;
  std::size_t seen = 0;
  int misfortunes = 0;
  night.driver.start();
  for (int steps = 0; !night.driver.exit(); ++steps) {
    RC_ASSERT(steps < 1'000'000);  // the last try may be an hour off, and each look may fail
    const bool store_first =
        night.driver.asked() && (night.driver.flying().empty() || *rc::gen::arbitrary<bool>());
    if (store_first) {
      int fortune = answered;
      // Never for so long that the worker runs out of patience.
      if (misfortunes < 5 && *rc::gen::inRange(0, 100) < unlucky_percent)
        fortune = *rc::gen::inRange(1, 4);
      misfortunes = fortune == answered ? 0 : misfortunes + 1;
      if (fortune == answered) {
        night.driver.answer_store();
      } else {
        if (fortune == lost_done) night.campaign.execute(*night.driver.asked());
        StoreAnswer answer;
        answer.status = fortune == not_done ? StoreStatus::not_done : StoreStatus::in_doubt;
        night.driver.answer_store_with(answer);
      }
    } else if (!night.driver.flying().empty()) {
      const auto& flying = night.driver.flying();
      const MemberId member =
          flying[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(flying.size())))]
              .member;
      const SendAnswer answer = any_answer();
      if (classify(answer) == AnswerKind::sent) accepted.insert(member);
      night.driver.answer_send(member, answer);
    } else {
      night.driver.step();
    }
    RC_ASSERT(night.driver.worker().started_unrecorded() <= policy.batch);
    RC_ASSERT(night.driver.worker().in_flight() ==
              static_cast<std::int64_t>(night.driver.flying().size()));
    for (; seen < night.driver.sends().size(); ++seen) {
      const MemberId member = night.driver.sends()[seen].member;
      RC_ASSERT(!accepted.contains(member));  // nobody is sent again after a 200
      for (const Claim& claim : night.driver.worker().claims()) {
        for (const ClaimMember& claimed : claim.members()) {
          if (claimed.member.id == member && claimed.phase != MemberPhase::settled) {
            RC_ASSERT(sent_in[member].insert(claim.token).second);  // nor twice within a claim
          }
        }
      }
    }
  }
  RC_LOG() << "left with: " << night.driver.exit()->reason << '\n';
  RC_ASSERT(night.driver.exit()->report.totals.remaining == 0);
  RC_ASSERT(night.driver.exit()->report.stale_writes == 0);
  for (const auto& [id, member] : night.campaign.members) {
    RC_ASSERT(member.times_sent == (accepted.contains(id) ? 1 : 0));
    RC_ASSERT(member.state != RowState::pending);
    RC_ASSERT(member.attempts <= policy.attempts_max);
  }
}

}  // namespace
}  // namespace core
