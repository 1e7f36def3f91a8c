// The simulator against real parts: these scenarios give the same duplicates, losses and failures
// in both, for both senders.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "harness/run.h"
#include "harness/silent_progress.h"
#include "harness/simulation/scenario_run.h"
#include "reports/expectations.h"
#include "scenarios/catalog.h"

namespace harness {
namespace {

class Tiers : public ::testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("tiers_pg_test.{}", ::getpid());
};

TEST_P(Tiers, GiveTheSameCounts) {
  auto scenario = scenarios::find_scenario(GetParam());
  ASSERT_TRUE(scenario.has_value());
  if (scenario->measure_memory) scenario->audience.members = {2'000, 4'000};
  scenario->measure_database = false;
  SilentProgress progress;
  RunOptions options;
  options.out_folder = folder_;
  const auto real = run_scenario(*scenario, options, progress);
  ASSERT_TRUE(real.has_value()) << real.error().message;
  const auto simulated = run_in_simulator(*scenario, options, progress, [] { return false; });
  ASSERT_TRUE(simulated.has_value()) << simulated.error().message;
  ASSERT_EQ(simulated->senders.size(), real->senders.size());
  for (std::size_t i = 0; i < real->senders.size(); ++i) {
    const reports::SenderResult& is = simulated->senders[i];
    const reports::SenderResult& should_be = real->senders[i];
    SCOPED_TRACE(fmt::format("{}, {} members", should_be.sender, should_be.members));
    EXPECT_EQ(is.sender, should_be.sender);
    EXPECT_EQ(is.members, should_be.members);
    EXPECT_EQ(is.accepted, should_be.accepted);
    EXPECT_EQ(is.duplicates, should_be.duplicates);
    EXPECT_EQ(is.extra_deliveries, should_be.extra_deliveries);
    EXPECT_EQ(is.lost, should_be.lost);
    EXPECT_EQ(is.failed, should_be.failed);
    EXPECT_EQ(is.unknown, should_be.unknown);
    EXPECT_EQ(is.opted_out, should_be.opted_out);
    EXPECT_EQ(is.exit_codes, should_be.exit_codes);
  }
}

class Mirrored : public Tiers {
 protected:
  // Of the reference sender: the check that compares PostgreSQL with the model.
  reports::Check compared(const std::string& bug) {
    const auto scenario = scenarios::find_scenario(GetParam());
    RunOptions options;
    options.tier = "sim-pg";
    options.senders = {"reference"};
    options.bug = bug;
    options.out_folder = folder_;
    SilentProgress progress;
    const auto result = run_scenario(*scenario, options, progress);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    if (!result) return {};
    for (const reports::Check& check : result->senders[0].checks)
      if (check.claim == "PostgreSQL answers as the model does") return check;
    return {};
  }
};

TEST_P(Mirrored, PostgresAnswersAsTheModelDoes) {
  const reports::Check check = compared("");
  EXPECT_EQ(check.seen, "it does");
  EXPECT_EQ(check.verdict, reports::Verdict::passed);
}

// The model's claim forgets its token, PostgreSQL's does not.
TEST_P(Mirrored, AWrongModelIsSeen) {
  EXPECT_EQ(compared("claim_batch.set_token").verdict, reports::Verdict::failed);
}

INSTANTIATE_TEST_SUITE_P(OfAFew, Mirrored,
                         ::testing::Values("kill9-at-6000", "paused-past-the-lease",
                                           "commit-in-doubt", "ghost-commit-after-takeover"),
                         [](const auto& scenario) {
                           std::string name = scenario.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Where the naive sender's count hangs on who is first, or its night is long.
class OnRealParts : public Tiers {};

// field case: F01, F07, F16
TEST_P(OnRealParts, TheReferenceKeepsItsPromise) {
  const auto scenario = scenarios::find_scenario(GetParam());
  ASSERT_TRUE(scenario.has_value());
  RunOptions options;
  options.senders = {"reference"};
  options.out_folder = folder_;
  SilentProgress progress;
  auto result = run_scenario(*scenario, options, progress);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  reports::judge(*result, *scenario);
  for (const reports::Check& check : result->senders.at(0).checks)
    EXPECT_EQ(check.verdict, reports::Verdict::passed) << check.claim << ": " << check.seen;
  EXPECT_GT(result->senders[0].checks.size(), 5u);
}

INSTANTIATE_TEST_SUITE_P(Shipped, OnRealParts,
                         ::testing::Values("killed-at-1300-with-batches-of-1000",
                                           "one-of-two-is-killed-for-good",
                                           "twenty-starts-at-once"),
                         [](const auto& scenario) {
                           std::string name = scenario.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(Shipped, Tiers,
                         ::testing::Values("kill9-at-6000", "two-pods-overlap", "opt-out-mid-run",
                                           "memory-by-audience", "colleague-1gi-backoff0",
                                           "claim-by-a-ghost", "claim-in-doubt", "commit-in-doubt",
                                           "commit-in-doubt-and-killed", "deadlock-victims",
                                           "ghost-commit-after-takeover", "session-cut",
                                           "window-ends-inside-a-batch"),
                         [](const auto& scenario) {
                           std::string name = scenario.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace harness
