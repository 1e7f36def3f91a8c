#include "fake_mail/provider.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fake_mail {
namespace {

using core::operator""us;
using core::operator""ms;
using core::operator""s;
using core::operator""h;

constexpr Arrival start{std::chrono::hours(24 * 365 * 50)};

// One provider and a clock of its own.
struct Desk {
  explicit Desk(Behaviour behaviour = {}) : provider(std::move(behaviour)) {}

  Answer ask(std::int64_t member, std::string_view key = "", std::uint64_t payload = 1,
             std::string_view owner = "p1") {
    const std::string recipient = std::to_string(member);
    return provider.answer({owner, recipient, key, payload, now});
  }
  std::string csv() const {
    std::ostringstream out;
    provider.ledger().write_csv(out);
    return out.str();
  }

  Provider provider;
  Arrival now = start;
};

Behaviour the_known_rules() {
  Behaviour behaviour;
  behaviour.rules = {{.status = 422, .every = 997, .tries = 0},
                     {.status = 503, .every = 25, .tries = 1}};
  return behaviour;
}

TEST(Provider, RefusesExactlyTheMembersThatItsRulesName) {
  Desk desk(the_known_rules());
  int unavailable = 0;
  int refused = 0;
  for (std::int64_t member = 1; member <= 10'000; ++member) {
    const Answer answer = desk.ask(member);
    if (answer.status == 503) ++unavailable;
    if (answer.status == 422) ++refused;
  }
  EXPECT_EQ(unavailable, 400);
  EXPECT_EQ(refused, 10);
  EXPECT_EQ(desk.provider.counters().accepted, 9'590);
  EXPECT_EQ(desk.provider.counters().refused, 410);

  for (std::int64_t member = 1; member <= 10'000; ++member)
    EXPECT_EQ(desk.ask(member).status, member % 997 == 0 ? 422 : 200) << member;
  EXPECT_EQ(desk.provider.counters().accepted_members, 9'990);
}

TEST(Provider, TheFirstRuleThatMatchesDecides) {
  Behaviour behaviour = the_known_rules();
  behaviour.rules.push_back({.status = 500, .every = 1, .tries = 0});
  Desk desk(behaviour);
  EXPECT_EQ(desk.ask(997 * 25).status, 422);
  EXPECT_EQ(desk.ask(25).status, 503);
  EXPECT_EQ(desk.ask(25).status, 500);
}

TEST(Provider, CountsTriesOfAMemberOverAllOwners) {
  Desk desk(the_known_rules());
  EXPECT_EQ(desk.ask(25, "", 1, "p1").status, 503);
  EXPECT_EQ(desk.ask(25, "", 1, "p2").status, 200);
}

TEST(Provider, AbsorbsARepeatOfAKey) {
  Desk desk;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::delivered);
  desk.now += 1s;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::repeat);
  EXPECT_EQ(desk.ask(1, "c:1").status, 200);
  EXPECT_EQ(desk.provider.counters().accepted, 1);
  EXPECT_EQ(desk.provider.counters().repeats, 2);
}

TEST(Provider, DeliversEachTimeWithoutAKey) {
  Desk desk;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(desk.ask(1).outcome, Outcome::delivered);
  EXPECT_EQ(desk.provider.counters().accepted, 3);
  EXPECT_EQ(desk.provider.counters().accepted_members, 1);
}

TEST(Provider, DeliversAgainOnceTheWindowHasPassed) {
  Behaviour behaviour;
  behaviour.dedupe_window = 24h;
  Desk desk(behaviour);
  desk.ask(1, "c:1");
  desk.now += 24h - 1us;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::repeat);  // which doesn't extend the window
  desk.now += 1us;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::delivered);
}

TEST(Provider, SkippedTimeCountsTowardsTheWindow) {
  Desk desk;
  desk.ask(1, "c:1");
  desk.provider.advance_clock(desk.now, 24h);
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::delivered);
}

TEST(Provider, RefusesAnotherPayloadUnderTheSameKey) {
  Desk desk;
  desk.ask(1, "c:1", 1);
  const Answer answer = desk.ask(1, "c:1", 2);
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(answer.outcome, Outcome::refused);
  EXPECT_EQ(desk.provider.counters().accepted, 1);
}

TEST(Provider, AnswersConflictWhileTheFirstAnswerIsUnderWay) {
  Behaviour behaviour;
  behaviour.latency = {{.permille = 1000, .latency = 150ms}};
  Desk desk(behaviour);
  EXPECT_EQ(desk.ask(1, "c:1").latency, 150ms);
  desk.now += 149ms;
  EXPECT_EQ(desk.ask(1, "c:1").status, 409);
  desk.now += 1ms;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::repeat);
}

TEST(Provider, CanIgnoreKeys) {
  Behaviour behaviour;
  behaviour.ignores_keys = true;
  Desk desk(behaviour);
  desk.ask(1, "c:1");
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::delivered);
}

TEST(Provider, AnswersTooManyAndBlocksForTheTimeItNames) {
  Behaviour behaviour;
  behaviour.limit_per_s = 5;
  behaviour.block = 10s;
  Desk desk(behaviour);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(desk.ask(i).status, 200);
  const Answer sixth = desk.ask(6);
  EXPECT_EQ(sixth.status, 429);
  EXPECT_EQ(sixth.outcome, Outcome::throttled);
  EXPECT_EQ(sixth.retry_after, 10s);
  desk.now += 9s;
  EXPECT_EQ(desk.ask(6).retry_after, 1s);
  desk.now += 1s;
  EXPECT_EQ(desk.ask(6).status, 200);
}

TEST(Provider, WithoutABlockTheLimitLetsTheNextSecondThrough) {
  Behaviour behaviour;
  behaviour.limit_per_s = 5;
  Desk desk(behaviour);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(desk.ask(i).status, i < 5 ? 200 : 429);
  desk.now += 1s - 1us;
  EXPECT_EQ(desk.ask(9).status, 429);
  desk.now += 1us;
  EXPECT_EQ(desk.ask(9).status, 200);
}

TEST(Provider, AThrottledRequestIsNoTryOfItsMember) {
  Behaviour behaviour = the_known_rules();
  behaviour.limit_per_s = 1;
  Desk desk(behaviour);
  desk.ask(1);
  EXPECT_EQ(desk.ask(25).status, 429);
  desk.now += 1s;
  EXPECT_EQ(desk.ask(25).status, 503);
}

TEST(Provider, AnOutageAnswersUnavailableToEverything) {
  Desk desk;
  desk.ask(1, "c:1");
  desk.provider.begin_outage(desk.now, 450s);
  desk.now += 450s - 1us;
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::unavailable);
  EXPECT_EQ(desk.ask(2).status, 503);
  desk.now += 1us;
  EXPECT_EQ(desk.ask(2).status, 200);
}

TEST(Provider, AnAcceptedButUnansweredMailIsAbsorbedOnTheNextTry) {
  Behaviour behaviour;
  behaviour.permille_accept_then_silence = 1000;
  Desk desk(behaviour);
  EXPECT_EQ(desk.ask(1, "c:1").status, 0);
  EXPECT_EQ(desk.ask(1, "c:1").outcome, Outcome::repeat);
  behaviour.permille_accept_then_silence = 0;
  behaviour.permille_accept_then_503 = 1000;
  desk.provider.set_behaviour(behaviour);
  EXPECT_EQ(desk.ask(2, "c:2").status, 503);
  EXPECT_EQ(desk.ask(2, "c:2").outcome, Outcome::repeat);
  EXPECT_EQ(desk.provider.counters().accepted, 2);
}

TEST(Provider, AnswersEachShareAsOftenAsItsPermilleSays) {
  Behaviour behaviour;
  behaviour.permille_503 = 40;
  behaviour.permille_422 = 1;
  Desk desk(behaviour);
  int unavailable = 0;
  int refused = 0;
  for (std::int64_t member = 0; member < 100'000; ++member) {
    const int status = desk.ask(member).status;
    unavailable += status == 503 ? 1 : 0;
    refused += status == 422 ? 1 : 0;
  }
  EXPECT_NEAR(unavailable, 4'000, 200);
  EXPECT_NEAR(refused, 100, 40);
}

TEST(Provider, DrawsAnewForEachTryOfAMember) {
  Behaviour behaviour;
  behaviour.permille_503 = 500;
  Desk desk(behaviour);
  int unavailable = 0;
  for (int i = 0; i < 1'000; ++i) unavailable += desk.ask(1).status == 503 ? 1 : 0;
  EXPECT_NEAR(unavailable, 500, 80);
}

TEST(Provider, DrawsEachLatencyAsOftenAsItsShareSays) {
  Behaviour behaviour;
  behaviour.latency = {{.permille = 900, .latency = 1ms},
                       {.permille = 50, .latency = 2ms},
                       {.permille = 50, .latency = 3ms}};
  Desk desk(behaviour);
  std::map<core::Duration, int> drawn;
  for (std::int64_t member = 0; member < 10'000; ++member) ++drawn[desk.ask(member).latency];
  EXPECT_NEAR(drawn[1ms], 9'000, 200);
  EXPECT_NEAR(drawn[2ms], 500, 150);
  EXPECT_NEAR(drawn[3ms], 500, 150);
}

TEST(Provider, FreezesAtTheTriggerAndWithholdsItsAnswer) {
  Desk desk;
  desk.provider.set_trigger(3, true);
  desk.ask(1, "c:1");
  desk.ask(2, "c:2");
  EXPECT_FALSE(desk.provider.frozen());
  EXPECT_TRUE(desk.ask(3, "c:3", 1, "p2").withheld);
  EXPECT_TRUE(desk.provider.frozen());
  EXPECT_EQ(desk.provider.ledger().owner_of_accept(3), "p2");
}

TEST(Provider, AThawAnswersTheWithheldRequestUnlessItsOwnerIsDropped) {
  for (const bool drop : {false, true}) {
    Desk desk;
    desk.provider.set_trigger(1, true);
    desk.ask(7, "c:7");
    EXPECT_NE(desk.csv().find("p1,7,c:7,0,delivered"), std::string::npos);
    desk.provider.thaw(drop ? std::vector<std::string>{"p1"} : std::vector<std::string>{});
    EXPECT_FALSE(desk.provider.frozen());
    EXPECT_EQ(desk.provider.dropped("p1"), drop);
    EXPECT_NE(desk.csv().find(drop ? "p1,7,c:7,0,delivered" : "p1,7,c:7,200,delivered"),
              std::string::npos);
    EXPECT_EQ(desk.ask(7, "c:7", 1, "p2").outcome, Outcome::repeat);
  }
}

TEST(Provider, ATriggerWithoutFreezeChangesNothing) {
  Desk desk;
  desk.provider.set_trigger(1, false);
  EXPECT_FALSE(desk.ask(1).withheld);
  EXPECT_FALSE(desk.provider.frozen());
}

TEST(Provider, CountsAMalformedBodyAsRefused) {
  Desk desk;
  EXPECT_EQ(desk.provider.refuse_malformed("p1", desk.now).status, 400);
  EXPECT_EQ(desk.provider.counters().refused, 1);
  EXPECT_EQ(desk.provider.counters().by_owner.at("p1").requests, 1);
}

}  // namespace
}  // namespace fake_mail
