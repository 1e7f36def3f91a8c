#include "harness/cli/simulation_arguments.h"

#include <gtest/gtest.h>

#include "harness/cli/arguments.h"

namespace harness::cli {
namespace {

using namespace std::chrono_literals;

template <class Wanted>
Wanted parsed(const std::vector<std::string>& words) {
  return std::get<Wanted>(parse_arguments(words).value());
}

std::string refusal(const std::vector<std::string>& words) {
  const auto arguments = parse_arguments(words);
  return arguments ? "accepted" : arguments.error().message;
}

TEST(SimulationArguments, HaveDefaults) {
  const auto explore = parsed<ExploreArguments>({"explore"});
  EXPECT_EQ(explore.budget, 60s);
  EXPECT_EQ(explore.seed, 1U);
  EXPECT_EQ(explore.out, "out");
  EXPECT_GE(explore.jobs, 1);
  EXPECT_FALSE(explore.schedules || explore.json);
  const auto exhaust = parsed<ExhaustArguments>({"exhaust"});
  EXPECT_EQ(exhaust.bound, "both");
  EXPECT_EQ(exhaust.budget, 60s);
  EXPECT_EQ(parsed<DoctorArguments>({"doctor"}).schedules, 2000);
}

TEST(SimulationArguments, ReachTheirPlaces) {
  const auto explore = parsed<ExploreArguments>(
      {"explore", "--budget", "500ms", "--jobs", "3", "--seed", "18446744073709551615", "--bug",
       "record_batch.token", "--schedules", "9", "--out", "elsewhere", "--json"});
  EXPECT_EQ(explore.budget, 500ms);
  EXPECT_EQ(explore.jobs, 3);
  EXPECT_EQ(explore.seed, UINT64_MAX);
  EXPECT_EQ(explore.bug, "record_batch.token");
  EXPECT_EQ(explore.schedules, 9);
  EXPECT_EQ(explore.out, "elsewhere");
  EXPECT_TRUE(explore.json);
  const auto exhaust = parsed<ExhaustArguments>(
      {"exhaust", "--bound", "3x3x1x1", "--budget", "5m", "--bug", "plan.turn", "--json"});
  EXPECT_EQ(exhaust.bound, "3x3x1x1");
  EXPECT_EQ(exhaust.budget, 5min);
  EXPECT_EQ(exhaust.bug, "plan.turn");
  EXPECT_TRUE(exhaust.json);
  const auto replay = parsed<ReplayArguments>(
      {"replay", "--all", "--resign", "a.trace", "-o", "b.trace", "--json"});
  EXPECT_EQ(replay.trace, "a.trace");
  EXPECT_EQ(replay.to, "b.trace");
  EXPECT_TRUE(replay.whole && replay.resign && replay.json);
  const auto shrink = parsed<ShrinkArguments>({"shrink", "a.trace", "-o", "b.trace"});
  EXPECT_EQ(shrink.file, "a.trace");
  EXPECT_EQ(shrink.to, "b.trace");
  const auto doctor =
      parsed<DoctorArguments>({"doctor", "--schedules", "5", "--seed", "0", "--print", "steps"});
  EXPECT_EQ(doctor.schedules, 5);
  EXPECT_EQ(doctor.seed, 0U);
  EXPECT_EQ(doctor.print, "steps");
}

TEST(SimulationArguments, WhatIsWrongIsOneLineWithWhatWouldBeRight) {
  for (const std::string budget : {"5", "s", "0s", "-1s", "1.5s", "5 s", "5h", ""}) {
    if (budget.empty()) continue;
    EXPECT_EQ(refusal({"explore", "--budget=" + budget}),
              "harness explore: --budget " + budget + ": must be a time like 500ms, 60s or 5m");
  }
  EXPECT_EQ(refusal({"explore", "--jobs", "0"}),
            "harness explore: --jobs 0: must be an integer from 1 to 2147483647");
  EXPECT_EQ(refusal({"explore", "--jobs", "2000"}),
            "harness explore: --jobs 2000: must be at most 1000");
  EXPECT_EQ(refusal({"explore", "--schedules", "none"}),
            "harness explore: --schedules none: must be an integer from 1 to 9223372036854775807");
  EXPECT_EQ(refusal({"doctor", "--seed=-1"}),
            "harness doctor: --seed -1: must be an integer from 0 to 18446744073709551615");
  EXPECT_EQ(refusal({"explore", "--bug", "record_batch.tokn"}),
            "harness explore: --bug: no planted bug is named \"record_batch.tokn\"; did you mean "
            "\"record_batch.token\"? harness explore --bug list shows all");
  EXPECT_EQ(refusal({"exhaust", "--bound", "3x3x1"}),
            "harness exhaust: --bound 3x3x1: there is no such bound; did you mean \"3x3x1x1\"?");
  EXPECT_EQ(refusal({"doctor", "--print", "step"}),
            "harness doctor: --print step: there is no such list; did you mean \"steps\"?");
  EXPECT_EQ(refusal({"replay"}),
            "harness replay: the trace is missing: a file, or the word that a failing run ends "
            "with");
  EXPECT_EQ(refusal({"shrink"}),
            "harness shrink: the trace is missing, like out/explore/RUN/trace.txt");
  EXPECT_EQ(refusal({"explore", "--budgt", "5s"}),
            "harness explore: unknown option --budgt; did you mean \"--budget\"?");
  EXPECT_EQ(refusal({"explor"}),
            "harness: no command is named \"explor\"; did you mean \"explore\"?");
}

}  // namespace
}  // namespace harness::cli
