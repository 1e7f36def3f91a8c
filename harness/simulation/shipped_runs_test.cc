// The shipped scenarios in the simulator.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/simulation/scenario_run_testing.h"
#include "reports/expectations.h"
#include "reports/json.h"
#include "scenarios/catalog.h"

namespace harness {
namespace {

// Its expectations, its events that expect nothing, and of the reference sender the oracles.
std::size_t checks_when_all_is_judged(const scenarios::Scenario& scenario,
                                      const reports::SenderResult& sender) {
  const auto variants = scenarios::variants_of(scenario);
  const auto its =
      std::ranges::find(variants, sender.choice, [](const auto* one) { return one->choice; });
  const auto nothing = std::ranges::count_if(scenario.events, &scenarios::Event::expects_nothing);
  return (*its)->expect.at(sender.sender).size() + static_cast<std::size_t>(nothing) +
         (sender.sender == "reference" ? 1 : 0);
}

// What every scenario file expects of real parts holds in the simulator too, with at most 100,000
// members; what memory-by-audience expects of the naive sender needs its own sizes.
TEST(ScenarioRun, EachShippedScenarioHolds) {
  const auto names = scenarios::scenario_names(scenarios::catalog_folder());
  ASSERT_TRUE(names.has_value());
  for (const std::string& name : *names) {
    SCOPED_TRACE(name);
    auto scenario = scenarios::find_scenario(name);
    ASSERT_TRUE(scenario.has_value());
    for (std::int64_t& members : scenario->audience.members)
      members = std::min<std::int64_t>(members, 100'000);
    auto& sizes = scenario->audience.members;
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (scenario->measure_memory) scenario->expect.erase("naive");
    if (scenario->cronjob.starts > 1) continue;  // its days need all its members: below
    auto result = simulated(*scenario, {});
    ASSERT_TRUE(result.has_value()) << result.error().message;
    reports::judge(*result, *scenario);
    EXPECT_EQ(result->verdict, reports::Verdict::passed) << reports::to_json(*result);
  }
}

// A hundredth of its members at a hundredth of its limit takes the same nights. Not the naive
// sender's: at 1/s it is told "too many" within milliseconds, and goes on.
TEST(ScenarioRun, NightsAtALowLimitAreComparedByDuplicatesLossesAndDays) {
  const auto scenario = scenarios::find_scenario(
      "limit-of-100-a-second",
      {.settings = {"audience.members=12000", "provider.limit_per_s=1", "sender.rate_per_s=1"},
       .seed = {}});
  ASSERT_TRUE(scenario.has_value()) << scenario.error().message();
  auto result = simulated(*scenario, {"reference"});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  reports::judge(*result, *scenario);
  EXPECT_EQ(result->verdict, reports::Verdict::passed) << reports::to_json(*result);
  EXPECT_EQ(result->senders.size(), scenario->choices.size());
  for (const reports::SenderResult& one : result->senders)
    EXPECT_TRUE(one.last_mail) << one.sender << one.choice;
}

// What a file expects is a claim about its fault, not about the members on whom chance lets it
// fall. memory-by-audience draws nothing and is large.
TEST(ScenarioRun, EachShippedScenarioHoldsWithTwentySeeds) {
  const auto names = scenarios::scenario_names(scenarios::catalog_folder());
  ASSERT_TRUE(names.has_value());
  for (const std::string& name : *names) {
    if (name == "memory-by-audience" || name == "limit-of-100-a-second") continue;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      const auto scenario =
          scenarios::find_scenario(name, {.settings = {}, .seed = 1'000'003 * seed});
      ASSERT_TRUE(scenario.has_value());
      auto result = simulated(*scenario, {});
      ASSERT_TRUE(result.has_value()) << result.error().message;
      reports::judge(*result, *scenario);
      EXPECT_EQ(result->verdict, reports::Verdict::passed) << reports::to_json(*result);
      for (const reports::SenderResult& sender : result->senders)
        EXPECT_EQ(sender.checks.size(), checks_when_all_is_judged(*scenario, sender));
    }
  }
}

}  // namespace
}  // namespace harness
