// The harness on real parts, at a size that costs a second.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "harness/run.h"
#include "harness/silent_progress.h"

namespace harness {
namespace {

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // The provider of kill9-at-6000 at a tenth of the size.
    scenario_.name = "small";
    scenario_.audience.members = {1'000};
    scenario_.provider.rules = {{.status = 422, .every = 97, .tries = 0},
                                {.status = 503, .every = 25, .tries = 1}};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::expected<reports::RunResult, RunError> run(const std::string& sender,
                                                  const std::string& setup = {}) {
    SilentProgress progress;
    RunOptions options;
    options.senders = {sender};
    options.out_folder = folder_;
    if (!setup.empty()) {
      std::filesystem::create_directories(folder_);
      options.setup_file = folder_ / "setup.sql";
      std::ofstream(options.setup_file) << setup;
    }
    return run_scenario(scenario_, options, progress);
  }
  scenarios::Event at(std::int64_t accept, std::vector<scenarios::Deed> deeds) {
    scenarios::Event event;
    event.accept = accept;
    event.deeds = std::move(deeds);
    return event;
  }

  scenarios::Scenario scenario_;
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("run_pg_test.{}", ::getpid());
};

// A sender may empty its table, as queues do, or write there what it likes: the audience is the one
// that the harness gave it.
TEST_F(RunTest, WhatASenderWritesIntoTheTableExcusesNothing) {
  const auto plain = run("naive");
  ASSERT_TRUE(plain.has_value()) << plain.error().message;
  ASSERT_EQ(plain->senders[0].lost, 40);
  for (const char* deed :
       {"delete from campaign_targets where member_id = new.member_id; delete from "
        "campaign_targets "
        "where member_id > 900",
        "update campaign_targets set opted_out_at = now() where opted_out_at is null",
        "update campaign_targets set state = 'skipped' where state is null"}) {
    SCOPED_TRACE(deed);
    const auto result =
        run("naive",
            std::string("alter table campaign_targets add state text;\n"
                        "create function meddle() returns trigger language plpgsql as $$ begin ") +
                deed +
                "; return null; end $$;\n"
                "create trigger meddles after update of sent_at on campaign_targets for each row"
                " when (new.member_id = 999) execute function meddle();\n");
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(result->senders[0].members, 1'000);
    EXPECT_EQ(result->senders[0].accepted, plain->senders[0].accepted);
    EXPECT_EQ(result->senders[0].lost, 40);
  }
}

TEST_F(RunTest, AKillAtAnAcceptCountIsExact) {
  scenario_.events = {at(600, {scenarios::Deed::freeze, scenarios::Deed::kill})};
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const auto& naive = result->senders[0];
  EXPECT_EQ(naive.duplicates, 600);
  EXPECT_EQ(naive.failed, 10);
  // Up to member 631 (600 + 25 passing 503s + 6 refusals) the second start mends the first's 503s;
  // the 15 after it meet theirs only then.
  EXPECT_EQ(naive.lost, 15);
  EXPECT_EQ(naive.exit_codes, (std::vector<int>{137, 0}));
  EXPECT_TRUE(naive.checks.empty());
}

// With batches of 40 and one lane, 29 are recorded at once and at most 11 are sent meanwhile. Who
// is killed then has them repeated; the 29 only if their record was never done.
TEST_F(RunTest, WhatBecomesOfAStatementIsWhatItsEventSays) {
  using scenarios::Deed;
  scenario_.provider.rules.clear();
  scenario_.audience.members = {200};
  scenario_.sender.lanes = 1;
  scenario_.sender.batch = 40;
  const auto repeats = [&](Deed fate) {
    scenarios::Event event = at(0, {fate, Deed::kill});
    event.when = scenarios::Moment::statement;
    event.statement = "record_batch";
    event.nth = 1;
    scenario_.events = {event};
    const auto result = run("reference");
    EXPECT_TRUE(result.has_value()) << result.error().message;
    if (!result) return std::int64_t{-1};
    EXPECT_EQ(result->senders[0].exit_codes, (std::vector{137, 0}));
    EXPECT_EQ(result->senders[0].duplicates, 0);
    EXPECT_EQ(result->senders[0].lost, 0);
    EXPECT_TRUE(result->senders[0].checks.empty()) << "the event never fired";
    return result->senders[0].repeats;
  };
  EXPECT_LE(repeats(Deed::lose_answer), 11);
  EXPECT_LE(repeats(Deed::ghost), 11);
  EXPECT_GE(repeats(Deed::lose), 29);
  EXPECT_GE(repeats(Deed::refuse), 29);
}

// Statements are counted over both, and who is killed at its plan has sent nothing.
TEST_F(RunTest, TheOwnerOfAStatementIsWhoseItIs) {
  scenario_.sender.processes = 2;
  scenario_.job.policy = scenarios::JobPolicy::allow;
  scenario_.job.backoff_limit = 0;
  scenarios::Event event = at(0, {scenarios::Deed::kill});
  event.when = scenarios::Moment::statement;
  event.statement = "plan";
  event.nth = 2;
  scenario_.events = {event};
  const auto result = run("reference");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->senders[0].exit_codes, (std::vector{137, 0}));
  EXPECT_EQ(result->senders[0].lost, 0);
  EXPECT_EQ(result->senders[0].repeats, 0);
}

TEST_F(RunTest, AnEventThatNeverFiresIsInconclusive) {
  scenario_.events = {at(5'000, {scenarios::Deed::freeze, scenarios::Deed::kill})};
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  ASSERT_EQ(result->senders[0].checks.size(), 1U);
  EXPECT_EQ(result->senders[0].checks[0].verdict, reports::Verdict::inconclusive);
}

TEST_F(RunTest, AnEventThatChangesNothingIsInconclusive) {
  scenario_.events = {at(300, {scenarios::Deed::kill}), at(400, {scenarios::Deed::proceed}),
                      at(500, {scenarios::Deed::start})};
  scenario_.events[0].who = "p9";
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  std::string seen;
  for (const reports::Check& check : result->senders[0].checks)
    if (check.verdict == reports::Verdict::inconclusive) seen += check.seen + "; ";
  EXPECT_EQ(seen,
            "kill: no process p9 runs; continue: p1 is not stopped; start: dropped, for the Job "
            "runs and its policy is forbid; ");
}

// Nothing of PostgreSQL is started, nor a folder made.
TEST_F(RunTest, WhatTheSimulatorCantDoIsRefusedBeforePostgresIsStarted) {
  SilentProgress progress;
  RunOptions options;
  options.tier = "sim-pg";
  options.out_folder = folder_;
  options.real_time = true;
  EXPECT_FALSE(run_scenario(scenario_, options, progress).has_value());
  options.real_time = false;
  options.senders = {"python3 mine.py"};
  EXPECT_FALSE(run_scenario(scenario_, options, progress).has_value());
  options.senders = {"reference"};
  options.bug = "no-kee";
  EXPECT_FALSE(run_scenario(scenario_, options, progress).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(RunTest, OptOutsAreMadeAndCounted) {
  scenario_.events = {at(300, {scenarios::Deed::freeze, scenarios::Deed::opt_out})};
  scenario_.events[0].first = 901;
  scenario_.events[0].count = 50;
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->senders[0].opted_out, 50);
  EXPECT_GE(result->senders[0].late_opt_outs, 40);
}

TEST_F(RunTest, ABackoffLimitOfZeroStartsNothingAgain) {
  scenario_.job.backoff_limit = 0;
  scenario_.events = {at(600, {scenarios::Deed::freeze, scenarios::Deed::kill})};
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->senders[0].exit_codes, (std::vector<int>{137}));
  EXPECT_EQ(result->senders[0].duplicates, 0);
  EXPECT_EQ(result->senders[0].accepted, 600);
}

TEST_F(RunTest, OneAboveItsMemoryLimitIsKilled) {
  scenario_.job.memory_limit_bytes = 1024 * 1024;
  scenario_.job.backoff_limit = 1;
  const auto result = run("naive");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->senders[0].exit_codes, (std::vector<int>{137, 137}));
}

TEST_F(RunTest, AnybodysCommandIsASender) {
  const auto result =
      run("sh -c 'test -n \"$DB_DSN\" && test \"$CAMPAIGN_ID\" = spring-2026 && exit 0'");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->senders[0].exit_codes, (std::vector<int>{0}));
  EXPECT_EQ(result->senders[0].lost, 1'000);
}

TEST_F(RunTest, AMissingProgramIsRefusedBeforeAnythingIsTouched) {
  const auto result = run("no-such-sender --fast");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "sender no-such-sender --fast: no program named no-such-sender in PATH: install it or "
            "give its path");
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

}  // namespace
}  // namespace harness
