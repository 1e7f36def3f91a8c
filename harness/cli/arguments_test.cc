#include "harness/cli/arguments.h"

#include <gtest/gtest.h>

namespace harness::cli {
namespace {

std::string refusal(const std::vector<std::string>& words) {
  const auto parsed = parse_arguments(words);
  return parsed ? "accepted" : parsed.error().message;
}

RunArguments run_arguments(const std::vector<std::string>& words) {
  return std::get<RunArguments>(parse_arguments(words).value());
}

TEST(Arguments, OfRunWithoutOptions) {
  const RunArguments got = run_arguments({"run", "kill9"});
  EXPECT_EQ(got.scenario, "kill9");
  EXPECT_TRUE(got.options.senders.empty());
  EXPECT_EQ(got.out, "out");
  EXPECT_FALSE(got.json || got.options.real_time || got.options.shift_now || got.options.verbose);
  EXPECT_FALSE(got.overrides.seed);
}

TEST(Arguments, OfRunReachTheirPlaces) {
  const RunArguments got = run_arguments({"run",
                                          "--sender",
                                          "reference",
                                          "--sender",
                                          "python3 mine.py -x",
                                          "kill9",
                                          "--setup",
                                          "a.sql",
                                          "--seed",
                                          "18446744073709551615",
                                          "--set",
                                          "audience.members=[5, 6]",
                                          "--set",
                                          "event[0].when=accept 3",
                                          "--json",
                                          "--real-time",
                                          "--shift-now",
                                          "--dsn",
                                          "host=x user=y",
                                          "--out",
                                          "elsewhere",
                                          "--verbose"});
  EXPECT_EQ(got.scenario, "kill9");
  EXPECT_EQ(got.options.senders, (std::vector<std::string>{"reference", "python3 mine.py -x"}));
  EXPECT_EQ(got.options.setup_file, "a.sql");
  EXPECT_EQ(got.overrides.seed, UINT64_MAX);
  EXPECT_EQ(got.overrides.settings,
            (std::vector<std::string>{"audience.members=[5, 6]", "event[0].when=accept 3"}));
  EXPECT_TRUE(got.json && got.options.real_time && got.options.shift_now && got.options.verbose);
  EXPECT_EQ(got.options.dsn, "host=x user=y");
  EXPECT_EQ(got.out, "elsewhere");
}

TEST(Arguments, OfAuditReachTheirPlaces) {
  const auto got = std::get<AuditArguments>(
      parse_arguments({"audit", "--dsn", "d", "--campaign", "c", "--ledger", "l", "--json"})
          .value());
  EXPECT_EQ(got.options.dsn, "d");
  EXPECT_EQ(got.options.campaign, "c");
  EXPECT_EQ(got.options.ledger, "l");
  EXPECT_TRUE(got.json);
}

TEST(Arguments, HelpAndVersionArePrinted) {
  EXPECT_TRUE(
      std::get<Print>(parse_arguments({"--version"}).value()).text.starts_with("harness 0."));
  EXPECT_TRUE(std::get<Print>(parse_arguments({"--help"}).value()).text.contains("Exit codes: 0"));
  EXPECT_TRUE(
      std::get<Print>(parse_arguments({"run", "--help"}).value()).text.contains("--shift-now"));
}

TEST(UsageErrors, NameTheCommandThatWasMeant) {
  EXPECT_EQ(refusal({}),
            "harness: a command is missing: list, run, audit, explore, exhaust, replay, shrink, "
            "doctor; see harness --help");
  EXPECT_EQ(refusal({"rum", "x"}), "harness: no command is named \"rum\"; did you mean \"run\"?");
  EXPECT_EQ(refusal({"frobnicate"}),
            "harness: no command is named \"frobnicate\"; known here: list, run, audit, explore, "
            "exhaust, replay, shrink, doctor");
}

TEST(UsageErrors, NameTheOptionThatWasMeant) {
  EXPECT_EQ(refusal({"run", "kill9", "--sead", "5"}),
            "harness run: unknown option --sead; did you mean \"--seed\"?");
  EXPECT_EQ(refusal({"run", "--jsn=1", "kill9"}),
            "harness run: unknown option --jsn; did you mean \"--json\"?");
  EXPECT_EQ(refusal({"list", "--jsn"}),
            "harness list: unknown option --jsn; did you mean \"--json\"?");
  EXPECT_EQ(refusal({"--verson"}), "harness: unknown option --verson; did you mean \"--version\"?");
}

TEST(UsageErrors, OfRun) {
  EXPECT_EQ(refusal({"run"}),
            "harness run: the scenario is missing; `harness list` shows all, like kill9-at-6000");
  EXPECT_EQ(refusal({"run", "a", "b"}), "harness run: \"b\" is one word too many; see --help");
  for (const std::string seed : {"abc", "-1", "1.5", "18446744073709551616", "5x"})
    EXPECT_EQ(
        refusal({"run", "a", "--seed=" + seed}),
        "harness run: --seed " + seed + ": must be an integer from 0 to 18446744073709551615");
  EXPECT_EQ(refusal({"run", "a", "--sender", ""}),
            "harness run: --sender is empty; give reference, naive or a command in quotes");
  EXPECT_EQ(refusal({"run", "a", "--sender", "naive", "--sender", "naive"}),
            "harness run: --sender naive is given twice; each sender runs once");
  EXPECT_EQ(refusal({"run", "a", "--seed"}),
            "harness run: --seed needs a value; see harness run --help");
  EXPECT_EQ(refusal({"run", "a", "--seed", "1", "--seed", "2"}),
            "harness run: --seed is given more than once; see harness run --help");
  EXPECT_EQ(refusal({"run", "a", "list"}),
            "harness run: \"list\" is one word too many; see --help");
  EXPECT_TRUE(refusal({"run", "a", "--json=3"}).starts_with("harness run: "))
      << refusal({"run", "a", "--json=3"});
}

TEST(UsageErrors, OfAudit) {
  EXPECT_EQ(refusal({"audit"}),
            "harness audit: --dsn is missing, like --dsn postgresql://user@host/database");
  EXPECT_EQ(refusal({"audit", "--dsn", "d"}),
            "harness audit: --campaign is missing, like --campaign spring-2026");
  EXPECT_EQ(refusal({"audit", "--dsn", "d", "--campaign", "c"}),
            "harness audit: --ledger is missing, like --ledger requests.csv");
}

TEST(Again, RepeatsTheRunAndIsQuotedForAShell) {
  const RunArguments got =
      run_arguments({"run", "kill9", "--sender", "python3 it's.py", "--set", "sender.lanes=8",
                     "--set", "event[0].when=accept 3", "--setup", "a.sql", "--real-time"});
  EXPECT_EQ(again("./dev", got, 7),
            "./dev run kill9 --seed 7 --sender 'python3 it'\\''s.py' --set sender.lanes=8 "
            "--set 'event[0].when=accept 3' --setup a.sql --real-time");
}

}  // namespace
}  // namespace harness::cli
