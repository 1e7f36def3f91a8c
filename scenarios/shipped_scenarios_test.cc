// The scenario files say what the field's numbers are; these tests say them a second time, on
// purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "scenarios/catalog.h"

namespace scenarios {
namespace {

Scenario shipped(const std::string& name) {
  auto read = find_scenario(name);
  EXPECT_TRUE(read) << read.error().message();
  return read.value_or(Scenario{});
}

// "duplicates = 0", "repeats <= 200", "exit_codes = 137 0" ...; "" when the sender is not asked for
// that field.
std::string expected(const Scenario& scenario, const std::string& sender,
                     const std::string& field) {
  const auto all = scenario.expect.find(sender);
  if (all == scenario.expect.end()) return "";
  const auto found = std::ranges::find(all->second, field, &Expectation::field);
  if (found == all->second.end()) return "";
  std::string out = found->relation == Relation::equal     ? ""
                    : found->relation == Relation::at_most ? "<= "
                                                           : ">= ";
  for (const auto value : found->values) {
    if (!out.empty() && out.back() != ' ') out += ' ';
    out += std::to_string(value);
  }
  return out;
}

TEST(ShippedScenarios, AllRead) {
  const auto names = scenario_names(catalog_folder()).value();
  EXPECT_EQ(names, (std::vector<std::string>{
                       "a-person-must-look",
                       "accepted-and-answered-503",
                       "accepted-and-never-answered",
                       "answers-after-the-time-out",
                       "api-key-expired",
                       "claim-by-a-ghost",
                       "claim-in-doubt",
                       "clock-jumps-past-the-lease",
                       "colleague-1gi-backoff0",
                       "commit-in-doubt",
                       "commit-in-doubt-and-killed",
                       "deadlock-victims",
                       "five-starts-at-once",
                       "forty-thousand-opt-out-in-the-middle",
                       "four-starts-at-once",
                       "ghost-commit-after-takeover",
                       "idempotency-window-over",
                       "key-forgotten-early",
                       "keys-ignored",
                       "kill9-at-6000",
                       "killed-at-1300-with-batches-of-1000",
                       "killed-five-times",
                       "limit-lower-than-believed",
                       "limit-of-100-a-second",
                       "memory-by-audience",
                       "not-after-passes",
                       "one-of-two-is-killed-for-good",
                       "opt-out-before-the-retry",
                       "opt-out-during-outage",
                       "opt-out-mid-run",
                       "passing-503s",
                       "paused-past-the-lease",
                       "provider-outage",
                       "second-pod-at-the-jobs-deadline",
                       "session-cut",
                       "storm-of-429",
                       "twenty-starts-at-once",
                       "two-pods-overlap",
                       "window-ends-inside-a-batch",
                   }));
  for (const auto& name : names) {
    const Scenario read = shipped(name);
    EXPECT_EQ(read.name, name);
    EXPECT_FALSE(read.title.empty()) << name;
    for (const std::string& sender : usual_senders(read))
      EXPECT_TRUE(read.expect.contains(sender)) << name << ": " << sender;
  }
}

// The five that the field knows by their numbers.
TEST(ShippedScenarios, TheFirstFiveObeyTheUsersRules) {
  for (const std::string name : {"colleague-1gi-backoff0", "kill9-at-6000", "memory-by-audience",
                                 "opt-out-mid-run", "two-pods-overlap"})
    EXPECT_EQ(shipped(name).provider.rules,
              (std::vector<fake_mail::Rule>{{422, 997, 0}, {503, 25, 1}}))
        << name;
}

// What the fault must not cost the reference, and what it costs the naive sender.
TEST(ShippedScenarios, OneFaultEach) {
  struct Claim {
    const char* scenario;
    const char* reference[2];  // field, value
    const char* naive[2];
  };
  const Claim claims[] = {
      {"accepted-and-answered-503", {"repeats", ">= 50"}, {"duplicates", "0"}},
      {"accepted-and-never-answered", {"repeats", "<= 51"}, {"duplicates", "213"}},
      {"answers-after-the-time-out", {"requests", ">= 202"}, {"duplicates", "0"}},
      {"api-key-expired", {"exit_codes", "3"}, {"exit_codes", "0"}},
      {"clock-jumps-past-the-lease", {"repeats", "<= 400"}, {"duplicates", "1000"}},
      {"four-starts-at-once", {"duplicates", "0"}, {"extra_deliveries", "5914"}},
      {"idempotency-window-over", {"exit_codes", "137 2"}, {"duplicates", "300"}},
      {"key-forgotten-early", {"duplicates", "<= 200"}, {"duplicates", "300"}},
      {"keys-ignored", {"duplicates", "<= 200"}, {"duplicates", "300"}},
      {"killed-five-times", {"repeats", "<= 250"}, {"extra_deliveries", "500"}},
      {"limit-lower-than-believed", {"lost", "0"}, {"lost", ">= 100"}},
      {"not-after-passes", {"exit_codes", "2"}, {"exit_codes", "0"}},
      {"opt-out-before-the-retry", {"accepted", "460"}, {"lost", "60"}},
      {"opt-out-during-outage", {"late_opt_outs", "0"}, {"late_opt_outs", "100"}},
      {"passing-503s", {"lost", "0"}, {"lost", "198"}},
      {"paused-past-the-lease", {"stale_writes", ">= 1"}, {"duplicates", "1000"}},
      {"provider-outage", {"failed", "0"}, {"lost", "1500"}},
      {"storm-of-429", {"failed", "0"}, {"lost", ">= 100"}},
      {"window-ends-inside-a-batch", {"exit_codes", "1 0"}, {"exit_codes", "0"}},
  };
  for (const Claim& claim : claims) {
    const Scenario read = shipped(claim.scenario);
    EXPECT_EQ(expected(read, "reference", claim.reference[0]), claim.reference[1])
        << claim.scenario;
    EXPECT_EQ(expected(read, "naive", claim.naive[0]), claim.naive[1]) << claim.scenario;
  }
}

// What befalls a statement must cost nothing but repeats under the same keys.
TEST(ShippedScenarios, OneFaultBetweenProcessAndDatabaseEach) {
  struct Claim {
    const char* scenario;
    const char* first_event;
    std::vector<Deed> deeds;
    const char* repeats;
    const char* exit_codes;
  };
  const Claim claims[] = {
      {"claim-by-a-ghost", "claim_batch 1", {Deed::ghost, Deed::kill}, "0", "137 0"},
      {"claim-in-doubt", "claim_batch 3", {Deed::lose_answer}, "0", "0"},
      {"commit-in-doubt", "record_batch 5", {Deed::lose_answer}, "0", "0"},
      {"commit-in-doubt-and-killed",
       "record_batch 5",
       {Deed::lose_answer, Deed::kill},
       "<= 100",
       "137 0"},
      {"deadlock-victims", "plan 1", {Deed::refuse}, "0", "0"},
      {"ghost-commit-after-takeover", "record_batch 1", {Deed::ghost, Deed::kill}, ">= 1", "137 0"},
      {"session-cut", "plan 1", {Deed::lose}, "0", "0"},
  };
  for (const Claim& claim : claims) {
    const Scenario read = shipped(claim.scenario);
    ASSERT_FALSE(read.events.empty()) << claim.scenario;
    EXPECT_EQ(text_of_moment(read.events[0]), claim.first_event) << claim.scenario;
    EXPECT_EQ(read.events[0].deeds, claim.deeds) << claim.scenario;
    EXPECT_EQ(expected(read, "reference", "duplicates"), "0") << claim.scenario;
    EXPECT_EQ(expected(read, "reference", "lost"), "0") << claim.scenario;
    EXPECT_EQ(expected(read, "reference", "repeats"), claim.repeats) << claim.scenario;
    EXPECT_EQ(expected(read, "reference", "exit_codes"), claim.exit_codes) << claim.scenario;
  }
}

TEST(ShippedScenarios, EachBeginsWithItsStory) {
  const auto names = scenario_names(catalog_folder()).value();
  for (const auto& name : names) {
    std::ifstream in(catalog_folder() / (name + ".toml"));
    std::string line;
    std::getline(in, line);
    EXPECT_TRUE(line.starts_with("# ")) << name;
  }
}

TEST(ShippedScenarios, Kill9At6000) {
  const Scenario read = shipped("kill9-at-6000");
  ASSERT_EQ(read.events.size(), 1U);
  EXPECT_EQ(read.events[0].accept, 6000);
  EXPECT_EQ(read.events[0].deeds, (std::vector{Deed::freeze, Deed::kill}));
  EXPECT_EQ(expected(read, "reference", "duplicates"), "0");
  EXPECT_EQ(expected(read, "reference", "lost"), "0");
  EXPECT_EQ(expected(read, "reference", "failed"), "10");
  EXPECT_EQ(expected(read, "reference", "repeats"), "<= 200");
  EXPECT_EQ(expected(read, "reference", "exit_codes"), "137 0");
  EXPECT_EQ(expected(read, "naive", "duplicates"), "6000");
  EXPECT_EQ(expected(read, "naive", "lost"), "150");
  EXPECT_EQ(expected(read, "naive", "failed"), "10");
  EXPECT_EQ(expected(read, "naive", "exit_codes"), "137 0");
}

TEST(ShippedScenarios, TwoPodsOverlap) {
  const Scenario read = shipped("two-pods-overlap");
  EXPECT_EQ(read.sender.processes, 2);
  EXPECT_EQ(read.job.policy, JobPolicy::allow);
  EXPECT_EQ(expected(read, "reference", "duplicates"), "0");
  EXPECT_EQ(expected(read, "reference", "exit_codes"), "0 0");
  EXPECT_EQ(expected(read, "naive", "duplicates"), "9590");
  EXPECT_EQ(expected(read, "naive", "exit_codes"), "0 0");
}

TEST(ShippedScenarios, OptOutMidRun) {
  const Scenario read = shipped("opt-out-mid-run");
  ASSERT_EQ(read.events.size(), 2U);
  EXPECT_EQ(read.events[0].first, 2300);
  EXPECT_EQ(read.events[1].first, 7000);
  EXPECT_EQ(read.events[0].count + read.events[1].count, 500);
  EXPECT_EQ(expected(read, "reference", "opted_out"), "500");
  EXPECT_EQ(expected(read, "reference", "late_opt_outs"), "0");
  EXPECT_EQ(expected(read, "naive", "late_opt_outs"), ">= 300");
}

TEST(ShippedScenarios, MemoryByAudience) {
  const Scenario read = shipped("memory-by-audience");
  EXPECT_EQ(read.audience.members, (std::vector<std::int64_t>{10'000, 100'000, 1'200'000}));
  EXPECT_TRUE(read.measure_memory);
  EXPECT_TRUE(read.measure_database);
  EXPECT_EQ(read.sender.lanes, 100);
  EXPECT_EQ(expected(read, "reference", "peak_rss_bytes"),
            "<= " + std::to_string(24 * 1024 * 1024));
  EXPECT_EQ(expected(read, "reference", "peak_rss_spread_bytes"),
            "<= " + std::to_string(1024 * 1024 - 1));
}

TEST(ShippedScenarios, Colleague1GiBackoff0) {
  const Scenario read = shipped("colleague-1gi-backoff0");
  EXPECT_EQ(read.job.backoff_limit, 0);
  EXPECT_EQ(read.job.memory_limit_bytes, std::int64_t{1} << 30);
  for (const std::string sender : {"reference", "naive"}) {
    EXPECT_EQ(expected(read, sender, "duplicates"), "0");
    EXPECT_EQ(expected(read, sender, "lost"), "3994");
    EXPECT_EQ(expected(read, sender, "exit_codes"), "137");
  }
}

}  // namespace
}  // namespace scenarios
