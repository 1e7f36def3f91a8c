#include "reports/expectations.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

using scenarios::Expectation;
using scenarios::Relation;
using scenarios::Scenario;

constexpr int kLine = 5;  // an expectation of the file

Scenario expecting(const Expectation& expectation) {
  Scenario out;
  out.expect["naive"] = {expectation};
  return out;
}

RunResult ran(const std::string& sender = "naive") {
  RunResult out;
  out.senders.emplace_back();
  out.senders[0].sender = sender;
  return out;
}

Check judged(RunResult run, const Scenario& scenario) {
  judge(run, scenario);
  return run.senders.back().checks.back();
}

TEST(Expectations, ANumberMustBeTheSame) {
  RunResult run = ran();
  run.senders[0].lost = 150;
  EXPECT_EQ(judged(run, expecting({"lost", Relation::equal, {150}, kLine})).verdict,
            Verdict::passed);
  const Check wrong = judged(run, expecting({"lost", Relation::equal, {149}, kLine}));
  EXPECT_EQ(wrong.verdict, Verdict::failed);
  EXPECT_EQ(wrong.claim, "lost = 149");
  EXPECT_EQ(wrong.seen, "150");
}

TEST(Expectations, ABoundIncludesItsNumber) {
  RunResult run = ran();
  run.senders[0].repeats = 200;
  EXPECT_EQ(judged(run, expecting({"repeats", Relation::at_most, {200}, kLine})).verdict,
            Verdict::passed);
  EXPECT_EQ(judged(run, expecting({"repeats", Relation::at_most, {199}, kLine})).verdict,
            Verdict::failed);
  EXPECT_EQ(judged(run, expecting({"repeats", Relation::at_least, {200}, kLine})).verdict,
            Verdict::passed);
  EXPECT_EQ(judged(run, expecting({"repeats", Relation::at_least, {201}, kLine})).verdict,
            Verdict::failed);
  EXPECT_EQ(judged(run, expecting({"repeats", Relation::at_least, {201}, kLine})).claim,
            "repeats >= 201");
}

// 137 of 500 drawn with the file's seed are 149 with another; no member is lost with any.
TEST(Expectations, AnExactCountOfWhatIsDrawnBelongsToItsSeed) {
  RunResult run = ran();
  run.senders[0].lost = 149;
  Scenario scenario = expecting({"lost", Relation::equal, {137}, kLine});
  scenario.expect["naive"].push_back({"duplicates", Relation::equal, {0}, kLine});
  const auto verdict = [&] {
    RunResult again = run;
    judge(again, scenario);
    return again;
  };
  scenario.seed_is_another = true;
  EXPECT_EQ(verdict().verdict, Verdict::failed) << "nothing is drawn";
  scenario.provider.permille_429 = 300;
  const RunResult other = verdict();
  EXPECT_EQ(other.verdict, Verdict::passed);
  ASSERT_EQ(other.senders[0].notes.size(), 1U);
  EXPECT_EQ(
      other.senders[0].notes[0],
      "not judged with another seed than the scenario's: lost = 137 (seen 149); a bound, like "
      "\"<= 200\", is judged with each");
  scenario.expect["naive"][0].relation = Relation::at_most;
  EXPECT_EQ(verdict().verdict, Verdict::failed);
  scenario.expect["naive"][0].relation = Relation::equal;
  scenario.seed_is_another = false;
  EXPECT_EQ(verdict().verdict, Verdict::failed);
  scenario.seed_is_another = true;
  run.senders[0].duplicates = 1;
  EXPECT_EQ(verdict().verdict, Verdict::failed);
}

TEST(Expectations, NothingIsHeldAgainstWhatEndedEarly) {
  RunResult run = ran();
  run.senders[0].lost = 9'000;
  run.senders[0].ended_early = "at step 812, where S1 broke";
  run.senders[0].checks = {{"no oracle of the simulator is broken", "S1", Verdict::failed}};
  judge(run, expecting({"lost", Relation::equal, {0}, kLine}));
  EXPECT_EQ(run.senders[0].checks.size(), 1U);
  EXPECT_EQ(run.verdict, Verdict::failed);
}

TEST(Expectations, ExitCodesAreComparedInTheirOrder) {
  RunResult run = ran();
  run.senders[0].exit_codes = {137, 0};
  EXPECT_EQ(judged(run, expecting({"exit_codes", Relation::equal, {137, 0}, kLine})).verdict,
            Verdict::passed);
  const Check wrong = judged(run, expecting({"exit_codes", Relation::equal, {0, 137}, kLine}));
  EXPECT_EQ(wrong.verdict, Verdict::failed);
  EXPECT_EQ(wrong.claim, "exit_codes = 0 137");
  EXPECT_EQ(wrong.seen, "137 0");
  EXPECT_EQ(judged(run, expecting({"exit_codes", Relation::equal, {137}, kLine})).verdict,
            Verdict::failed);
}

TEST(Expectations, AnAmountIsComparedInItsUnit) {
  RunResult run = ran();
  run.senders[0].db_ns_per_member = 7'001;
  EXPECT_EQ(judged(run, expecting({"db_us_per_member", Relation::at_most, {7}, kLine})).verdict,
            Verdict::failed);
  run.senders[0].db_ns_per_member = 7'000;
  EXPECT_EQ(judged(run, expecting({"db_us_per_member", Relation::at_most, {7}, kLine})).verdict,
            Verdict::passed);
}

TEST(Expectations, WhatWasNotMeasuredIsInconclusive) {
  const Check check = judged(ran(), expecting({"db_us_per_member", Relation::at_most, {7}, kLine}));
  EXPECT_EQ(check.verdict, Verdict::inconclusive);
  EXPECT_EQ(check.seen, "not measured");
}

TEST(Expectations, ASenderWithoutItsOwnGetsThoseOfAnyElseWhatEverySenderOwes) {
  Scenario scenario = expecting({"lost", Relation::equal, {150}, kLine});
  RunResult run = ran("python3 mine.py");
  judge(run, scenario);
  ASSERT_EQ(run.senders[0].checks.size(), 3U);
  EXPECT_EQ(run.senders[0].checks[0].claim, "duplicates = 0");
  EXPECT_EQ(run.senders[0].checks[1].claim, "lost = 0");
  EXPECT_EQ(run.senders[0].checks[2].claim, "late_opt_outs = 0");

  scenario.expect["any"] = {{"accepted", Relation::equal, {5}, kLine}};
  run = ran("python3 mine.py");
  judge(run, scenario);
  ASSERT_EQ(run.senders[0].checks.size(), 4U);  // what is owed stays owed
  EXPECT_EQ(run.senders[0].checks[0].claim, "accepted = 5");
  EXPECT_EQ(run.senders[0].checks[1].claim, "duplicates = 0");

  scenario.expect["any"] = {{"lost", Relation::at_most, {5}, kLine}};
  run = ran("python3 mine.py");
  judge(run, scenario);
  ASSERT_EQ(run.senders[0].checks.size(), 3U);  // unless the scenario says otherwise
  EXPECT_EQ(run.senders[0].checks[0].claim, "lost <= 5");
}

TEST(Expectations, TheSpreadIsAskedOnceAtTheLastSize) {
  RunResult run = ran();
  run.senders.push_back(run.senders[0]);
  run.senders[1].peak_rss_bytes = 100;
  judge(run, expecting({"peak_rss_spread_bytes", Relation::at_most, {99}, kLine}));
  EXPECT_TRUE(run.senders[0].checks.empty());
  ASSERT_EQ(run.senders[1].checks.size(), 1U);
  EXPECT_EQ(run.senders[1].checks[0].seen, "100");
  EXPECT_EQ(run.verdict, Verdict::failed);
}

TEST(Verdicts, TheWorstOfAllWins) {
  EXPECT_EQ(worst(Verdict::passed, Verdict::inconclusive), Verdict::inconclusive);
  EXPECT_EQ(worst(Verdict::failed, Verdict::inconclusive), Verdict::failed);
  RunResult run = ran();
  run.senders[0].checks.push_back({"event accept 6000", "never", Verdict::inconclusive});
  judge(run, expecting({"lost", Relation::equal, {0}, kLine}));
  EXPECT_EQ(run.verdict, Verdict::inconclusive);
  run.senders[0].lost = 1;
  judge(run, expecting({"lost", Relation::equal, {0}, kLine}));
  EXPECT_EQ(run.verdict, Verdict::failed);
}

TEST(Verdicts, NothingCheckedIsInconclusive) {
  RunResult run;
  judge(run, Scenario{});
  EXPECT_EQ(run.verdict, Verdict::inconclusive);
  run = ran();
  EXPECT_EQ(verdict_of(run, run.senders[0]), Verdict::inconclusive);
  run.senders.push_back(ran("other").senders[0]);
  run.senders[1].checks = {{"lost = 0", "0", Verdict::passed}};
  EXPECT_EQ(verdict_of(run, run.senders[0]), Verdict::inconclusive)
      << "another sender's check says nothing";
}

TEST(Verdicts, ASizeWhoseSenderIsCheckedAtAnotherPasses) {
  RunResult run = ran();
  run.senders.push_back(run.senders[0]);
  judge(run, expecting({"peak_rss_spread_bytes", Relation::at_most, {99}, kLine}));
  EXPECT_TRUE(run.senders[0].checks.empty());
  EXPECT_EQ(verdict_of(run, run.senders[0]), Verdict::passed);
  EXPECT_EQ(run.verdict, Verdict::passed);
}

TEST(ChangedScenario, AMissedNumberOfTheFileIsInconclusive) {
  RunResult run = ran();
  run.senders[0].lost = 7;
  Scenario scenario = expecting({"lost", Relation::equal, {150}, kLine});
  scenario.settings = {"audience.members=500"};
  judge(run, scenario);
  EXPECT_EQ(run.senders[0].checks[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(run.senders[0].checks[0].seen, "7");
  ASSERT_EQ(run.senders[0].notes.size(), 1U);
  EXPECT_TRUE(run.senders[0].notes[0].starts_with("--set has changed the scenario"));
}

TEST(ChangedScenario, WhatEverySenderOwesStillFails) {
  RunResult run = ran();
  run.senders[0].lost = 7;
  Scenario scenario = expecting({"lost", Relation::equal, {0}, kLine});
  scenario.settings = {"audience.members=500"};
  EXPECT_EQ(judged(run, scenario).verdict, Verdict::failed);
}

TEST(ChangedScenario, AnExpectationGivenBySetStillFails) {
  RunResult run = ran();
  run.senders[0].lost = 7;
  Scenario scenario = expecting({"lost", Relation::equal, {150}, 0});
  scenario.settings = {"audience.members=500", "expect.naive.lost=150"};
  EXPECT_EQ(judged(run, scenario).verdict, Verdict::failed);
}

TEST(ChangedScenario, ChangingOnlyExpectationsChangesNoScenario) {
  RunResult run = ran();
  run.senders[0].lost = 7;
  Scenario scenario = expecting({"lost", Relation::equal, {150}, kLine});
  scenario.settings = {"expect.naive.failed=10"};
  EXPECT_EQ(judged(run, scenario).verdict, Verdict::failed);
}

}  // namespace
}  // namespace reports
