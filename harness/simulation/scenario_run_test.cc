#include "harness/simulation/scenario_run.h"

#include <gtest/gtest.h>

#include "harness/simulation/scenario_run_testing.h"
#include "reports/expectations.h"
#include "reports/json.h"
#include "scenarios/catalog.h"
#include "scenarios/statements.h"
#include "sim/world/move.h"

namespace harness {
namespace {

using scenarios::Deed;

// The provider of kill9-at-6000 at a tenth of the size.
scenarios::Scenario small() {
  scenarios::Scenario scenario;
  scenario.name = "small";
  scenario.audience.members = {1'000};
  scenario.sender.lanes = 20;
  scenario.provider.rules = {{.status = 422, .every = 97, .tries = 0},
                             {.status = 503, .every = 25, .tries = 1}};
  return scenario;
}

scenarios::Event at(std::int64_t accept, std::vector<Deed> deeds, std::int64_t lasts_s = 0) {
  scenarios::Event event;
  event.accept = accept;
  event.deeds = std::move(deeds);
  event.lasts = std::chrono::seconds(lasts_s);
  return event;
}

scenarios::Event at(const std::string& statement, std::int64_t nth, std::vector<Deed> deeds) {
  scenarios::Event event = at(0, std::move(deeds));
  event.when = scenarios::Moment::statement;
  event.statement = statement;
  event.nth = nth;
  return event;
}

reports::SenderResult one(const scenarios::Scenario& scenario, const std::string& sender,
                          const std::string& bug = {}) {
  const auto result = simulated(scenario, {sender}, bug);
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return result ? result->senders.front() : reports::SenderResult{};
}

bool oracles_hold(const reports::SenderResult& result) {
  return std::ranges::all_of(result.checks, [](const reports::Check& check) {
    return check.verdict == reports::Verdict::passed;
  });
}

// Retries come in small claims; the slots that pass while one is finished are nobody's.
TEST(ScenarioRun, AFewRetriesCostNoSlots) {
  scenarios::Scenario scenario = small();
  scenario.audience.members = {20'000};
  scenario.sender.lanes = 100;
  scenario.provider.latency = {{1000, core::Duration(150'000)}};
  scenario.provider.rules = {{.status = 503, .every = 25, .tries = 1}};
  for (const std::int64_t rate : {100, 500}) {
    scenario.provider.limit_per_s = scenario.sender.rate_per_s = rate;
    const auto result = one(scenario, "reference");
    EXPECT_LE(result.max_in_any_second, rate);
    EXPECT_GE(result.steady_per_s * 100, rate * 98) << rate;
  }
}

TEST(ScenarioRun, TheSameSeedGivesTheSameResult) {
  scenarios::Scenario scenario = small();
  scenario.provider.permille_503 = 50;
  scenario.events = {at(600, {Deed::freeze, Deed::kill})};
  auto first = simulated(scenario, {});
  auto second = simulated(scenario, {});
  ASSERT_TRUE(first && second);
  for (auto* result : {&*first, &*second})
    for (reports::SenderResult& sender : result->senders) sender.wall = core::Duration(0);
  EXPECT_EQ(reports::to_json(*first), reports::to_json(*second));
  EXPECT_GT(first->senders.front().repeats, 0);
}

TEST(ScenarioRun, AnAnswerIsWithheldFromWhoIsKilled) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(600, {Deed::freeze, Deed::kill})};
  const auto naive = one(scenario, "naive");
  EXPECT_EQ(naive.duplicates, 600);
  EXPECT_EQ(naive.exit_codes, (std::vector{137, 0}));
  const auto reference = one(scenario, "reference");
  EXPECT_EQ(reference.duplicates, 0);
  EXPECT_EQ(reference.lost, 0);
  EXPECT_GT(reference.repeats, 0);
  EXPECT_EQ(reference.exit_codes, (std::vector{137, 0}));
}

TEST(ScenarioRun, AWithheldAnswerIsGivenToWhoLives) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(600, {Deed::freeze, Deed::opt_out})};
  scenario.events[0].first = 800;
  scenario.events[0].count = 50;
  for (const char* sender : {"reference", "naive"}) {
    const auto result = one(scenario, sender);
    EXPECT_EQ(result.opted_out, 50);
    EXPECT_EQ(result.duplicates, 0);
    EXPECT_EQ(result.exit_codes, std::vector{0});
  }
  EXPECT_EQ(one(scenario, "reference").late_opt_outs, 0);
  EXPECT_GT(one(scenario, "naive").late_opt_outs, 0);
}

// Four members always get 503: given up in the table, and counted so.
TEST(ScenarioRun, WhoIsAlwaysTurnedAwayHasFailed) {
  scenarios::Scenario scenario = small();
  scenario.provider.rules = {{.status = 503, .every = 250, .tries = 0}};
  const auto result = one(scenario, "reference");
  EXPECT_EQ(result.failed, 4);
  EXPECT_EQ(result.lost, 0);
  EXPECT_TRUE(oracles_hold(result));
  EXPECT_EQ(one(scenario, "naive").lost, 4);
}

// The other takes over when the lease has ended; who comes back then finds itself fenced.
TEST(ScenarioRun, WhoIsStoppedPastItsLeaseIsFenced) {
  scenarios::Scenario scenario = small();
  scenario.sender.processes = 2;
  scenario.job.policy = scenarios::JobPolicy::allow;
  scenario.events = {at(300, {Deed::stop, Deed::advance}, 120), at(980, {Deed::proceed})};
  scenario.events[0].who = scenario.events[1].who = "p1";
  const auto result = one(scenario, "reference");
  EXPECT_EQ(result.duplicates, 0);
  EXPECT_EQ(result.lost, 0);
  EXPECT_GT(result.stale_writes, 0);
  EXPECT_TRUE(oracles_hold(result));
}

TEST(ScenarioRun, WhoWaitsForEverFails) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(300, {Deed::stop})};
  for (const char* sender : {"reference", "naive"}) {
    const auto result = one(scenario, sender);
    EXPECT_EQ(result.accepted, 300);
    const auto ends =
        std::ranges::find(result.checks, "every process ends", &reports::Check::claim);
    ASSERT_NE(ends, result.checks.end());
    EXPECT_EQ(ends->verdict, reports::Verdict::failed);
    EXPECT_TRUE(ends->seen.starts_with("p1: "));
  }
}

// Nothing is recorded, and the batch is claimed again and again in no time.
TEST(ScenarioRun, WhoGoesInACircleFails) {
  scenarios::Scenario scenario = small();
  scenario.audience.members = {3};
  EXPECT_FALSE(oracles_hold(one(scenario, "reference", "claim-loses-a-member")));
}

TEST(ScenarioRun, APlantedBugThatNobodySeesIsInconclusive) {
  EXPECT_FALSE(oracles_hold(one(small(), "reference", "lease-outlived")));
}

TEST(ScenarioRun, ABugNeedsTheReferenceSender) {
  EXPECT_FALSE(simulated(small(), {"naive"}, "no-key").has_value());
}

TEST(ScenarioRun, AProcessThatCannotBeIsNobody) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(300, {Deed::kill})};
  scenario.events[0].who = "p9223372036854775807";
  const auto naive = one(scenario, "naive");
  EXPECT_EQ(naive.exit_codes, std::vector{0});
  EXPECT_FALSE(oracles_hold(naive));
}

TEST(ScenarioRun, AnEventThatChangesNothingIsInconclusive) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(300, {Deed::proceed}), at(400, {Deed::opt_out}), at(500, {Deed::opt_out})};
  for (std::size_t i : {1U, 2U}) {
    scenario.events[i].first = 900;
    scenario.events[i].count = 50;
  }
  for (const char* sender : {"reference", "naive"}) {
    const auto result = one(scenario, sender);
    EXPECT_EQ(result.opted_out, 50);
    std::string seen;
    for (const reports::Check& check : result.checks)
      if (check.verdict == reports::Verdict::inconclusive) seen += check.seen + "; ";
    EXPECT_EQ(seen,
              "continue: p1 is not stopped; opt_out: members 900 to 949 have opted out already, "
              "or are none; ");
  }
}

TEST(ScenarioRun, AStartIsDroppedByForbidAndMadeByAllow) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(300, {Deed::start})};
  EXPECT_EQ(one(scenario, "naive").exit_codes.size(), 1U);
  EXPECT_FALSE(oracles_hold(one(scenario, "naive")));
  scenario.events[0].expects_nothing = true;
  EXPECT_TRUE(oracles_hold(one(scenario, "naive")));
  scenario.events[0].expects_nothing = false;
  scenario.job.policy = scenarios::JobPolicy::allow;
  const auto naive = one(scenario, "naive");
  EXPECT_EQ(naive.exit_codes.size(), 2U);
  EXPECT_GT(naive.duplicates, 900);
  EXPECT_EQ(one(scenario, "reference").duplicates, 0);
}

TEST(ScenarioRun, AnOutageCostsTheNaiveSenderItsMembers) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(300, {Deed::outage}, 10)};
  EXPECT_GT(one(scenario, "naive").lost, 600);
  const auto result = one(scenario, "reference");
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(result.failed, 10);
}

TEST(ScenarioRun, AnEventThatNeverComesIsInconclusive) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(5'000, {Deed::kill})};
  EXPECT_FALSE(oracles_hold(one(scenario, "reference")));
}

TEST(ScenarioRun, EachStatementThatAnEventCanWaitForIsAMove) {
  for (std::size_t i = 0; i < scenarios::kStatements.size(); ++i)
    EXPECT_EQ(sim::text_of(static_cast<sim::Command>(i)), scenarios::kStatements[i]);
}

TEST(ScenarioRun, TheNaiveSenderHasNoStatementToStrike) {
  scenarios::Scenario scenario = small();
  scenario.events = {at("record_batch", 1, {Deed::lose})};
  EXPECT_FALSE(oracles_hold(one(scenario, "naive")));
  EXPECT_TRUE(oracles_hold(one(scenario, "reference")));
}

// Of the four, whether it is done and whether its process hears are the two that matter.
TEST(ScenarioRun, WhatBecomesOfARecordIsWhatItsNameSays) {
  const auto repeats = [](std::vector<Deed> deeds) {
    scenarios::Scenario scenario = small();
    scenario.provider.rules.clear();
    scenario.sender.lanes = 1;
    scenario.sender.batch = 40;
    scenario.events = {at("record_batch", 4, std::move(deeds))};
    const auto result = one(scenario, "reference");
    EXPECT_TRUE(oracles_hold(result));
    EXPECT_EQ(result.duplicates, 0);
    EXPECT_EQ(result.lost, 0);
    EXPECT_EQ(result.stale_writes, 0);
    return result.repeats;
  };
  EXPECT_EQ(repeats({Deed::lose}), 0);
  EXPECT_EQ(repeats({Deed::lose_answer}), 0);
  EXPECT_EQ(repeats({Deed::ghost}), 0);
  EXPECT_EQ(repeats({Deed::refuse}), 0);
  const std::int64_t in_flight = repeats({Deed::lose_answer, Deed::kill});
  EXPECT_EQ(repeats({Deed::kill}), in_flight) << "the moment comes when it is done";
  EXPECT_EQ(repeats({Deed::ghost, Deed::kill}), in_flight) << "done by the dead one's session";
  EXPECT_GT(repeats({Deed::lose, Deed::kill}), in_flight + 10) << "and this one never";
  EXPECT_GT(repeats({Deed::refuse, Deed::kill}), in_flight + 10);
}

// Whoever heard the last count would have ended with 0.
TEST(ScenarioRun, WhoIsKilledAtAStatementHasNotHeardOfIt) {
  scenarios::Scenario scenario = small();
  scenario.events = {at("count_totals", 1, {Deed::kill})};
  EXPECT_EQ(one(scenario, "reference").exit_codes, (std::vector{137, 0}));
  scenario.events = {at("count_totals", 1, {Deed::lose_answer})};
  EXPECT_EQ(one(scenario, "reference").exit_codes, std::vector{0});
}

TEST(ScenarioRun, StatementsAreCountedOverAllProcesses) {
  scenarios::Scenario scenario = small();
  scenario.sender.processes = 2;
  scenario.job.policy = scenarios::JobPolicy::allow;
  scenario.job.backoff_limit = 0;
  scenario.events = {at("plan", 2, {Deed::kill})};
  const auto result = one(scenario, "reference");
  EXPECT_EQ(result.exit_codes, (std::vector{137, 0}));
  EXPECT_TRUE(oracles_hold(result));
}

// The other has its batch by then.
TEST(ScenarioRun, WhoIsStoppedAtAStatementHearsOfItWhenItWakes) {
  scenarios::Scenario scenario = small();
  scenario.provider.rules.clear();
  scenario.job.policy = scenarios::JobPolicy::allow;
  scenario.events = {at("record_batch", 2, {Deed::lose, Deed::stop, Deed::start, Deed::advance}),
                     at(1'000, {Deed::proceed})};
  scenario.events[0].lasts = std::chrono::seconds(120);
  scenario.events[1].who = "p1";
  const auto result = one(scenario, "reference");
  EXPECT_TRUE(oracles_hold(result));
  EXPECT_EQ(result.exit_codes, (std::vector{0, 0}));
  EXPECT_EQ(result.duplicates, 0);
  EXPECT_GT(result.stale_writes, 0);
}

TEST(ScenarioRun, AGhostLandsWhenAnEventSaysSo) {
  const auto breaks_an_oracle = [](const scenarios::Scenario& scenario, const std::string& bug) {
    return std::ranges::any_of(one(scenario, "reference", bug).checks, [](const auto& check) {
      return check.verdict == reports::Verdict::failed;
    });
  };
  auto scenario = scenarios::find_scenario("ghost-commit-after-takeover");
  ASSERT_TRUE(scenario.has_value());
  EXPECT_FALSE(breaks_an_oracle(*scenario, ""));
  EXPECT_TRUE(breaks_an_oracle(*scenario, "record_batch.token"));
  scenario->events = {at("record_batch", 1, {Deed::lose, Deed::kill})};
  EXPECT_FALSE(breaks_an_oracle(*scenario, "record_batch.token")) << "nobody's record is stale";
}

TEST(ScenarioRun, APlantedBugIsSeen) {
  scenarios::Scenario scenario = small();
  scenario.events = {at(600, {Deed::freeze, Deed::kill})};
  EXPECT_TRUE(oracles_hold(one(scenario, "reference")));
  auto result = simulated(scenario, {"reference"}, "no-key");
  ASSERT_TRUE(result.has_value());
  reports::judge(*result, scenario);
  const auto& wrong = result->senders.front();
  ASSERT_EQ(wrong.checks.size(), 1U) << "what it lost by then says nothing";
  EXPECT_EQ(wrong.checks[0].verdict, reports::Verdict::failed);
  EXPECT_TRUE(wrong.ended_early.starts_with("at step ") && wrong.ended_early.ends_with("S1 broke"))
      << wrong.ended_early;
  EXPECT_EQ(wrong.notes.back().find("ended at step"), 0U) << wrong.notes.back();
  EXPECT_FALSE(simulated(scenario, {"reference"}, "no-kee").has_value());
}

// What one worker holds doesn't depend on how many there are to mail.
// field case: F43
TEST(ScenarioRun, MemoryDoesNotGrowWithTheAudience) {
  scenarios::Scenario scenario = small();
  const auto few = one(scenario, "reference");
  const auto few_naive = one(scenario, "naive");
  scenario.audience.members = {50'000};
  EXPECT_EQ(one(scenario, "reference").peak_rss_bytes, few.peak_rss_bytes);
  EXPECT_GT(one(scenario, "naive").peak_rss_bytes, 40 * few_naive.peak_rss_bytes);
}

TEST(ScenarioRun, WhatTheSimulatorCannotDoIsRefused) {
  const auto refused = simulated(small(), {"python3 mine.py"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "--sender python3 mine.py: the simulator runs reference and naive; programs run with "
            "--tier process");
  scenarios::Scenario short_lease = small();
  short_lease.sender.env = {{"LEASE_S", "10"}};
  const auto lease = simulated(short_lease, {"reference"});
  ASSERT_FALSE(lease.has_value());
  EXPECT_TRUE(lease.error().message.starts_with("LEASE_S: a lease of 10 s"));
}

}  // namespace
}  // namespace harness
