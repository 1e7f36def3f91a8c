#include "scenarios/reader.h"

#include <gtest/gtest.h>

#include "scenarios/reader_testing.h"

namespace scenarios {
namespace {

std::string set_refusal(const std::string& setting) {
  const auto parsed =
      parse_scenario(kTitle + "[audience]\nmembers = 7\n", "a.toml", {{setting}, {}});
  return parsed ? "accepted" : parsed.error().message();
}

TEST(Reader, AnAbsentKeyKeepsTheDefaultOfTheStruct) {
  const Scenario got = read(kTitle);
  const Scenario fresh;
  EXPECT_EQ(got.name, "a");
  EXPECT_EQ(got.file, "folder/a.toml");
  EXPECT_EQ(got.seed, fresh.seed);
  EXPECT_EQ(got.audience.members, fresh.audience.members);
  EXPECT_EQ(got.provider, fresh.provider);
  EXPECT_EQ(got.sender.lanes, fresh.sender.lanes);
  EXPECT_EQ(got.job.backoff_limit, fresh.job.backoff_limit);
  EXPECT_TRUE(got.events.empty());
  EXPECT_TRUE(got.expect.empty());
}

TEST(Reader, EveryKeyReachesItsField) {
  const Scenario got = read(R"(
title = "t"
seed = 42
[audience]
members = [9, 10]
[provider]
limit_per_s = 500
block_us = 1000
latency_us = [[900, 150_000], [100, 400_000]]
dedupe_window_us = 60_000_000
ignores_keys = true
permille_503 = 1
permille_422 = 2
permille_429 = 3
permille_accept_then_503 = 4
permille_accept_then_silence = 5
[[provider.rule]]
status = 422
every = 997
[sender]
processes = 2
lanes = 8
rate_per_s = 400
batch = 100
env = {POLL_MS = 50, NAME = "x y"}
[job]
policy = "allow"
backoff_limit = 6
memory_limit_bytes = 268_435_456
[[event]]
when = "read"
do = "kill"
who = "p2"
[[event]]
when = "accept 9"
do = "opt_out|outage|continue"
first = 3
count = 4
lasts_us = 5
[measure]
memory = true
database = true
[expect.any]
repeats = "<= 200"
late_opt_outs = ">=300"
exit_codes = [137, 0]
)");
  EXPECT_EQ(got.seed, 42U);
  EXPECT_EQ(got.audience.members, (std::vector<std::int64_t>{9, 10}));
  fake_mail::Behaviour provider;
  provider.seed = 42;
  provider.limit_per_s = 500;
  provider.block = core::Duration(1000);
  provider.latency = {{900, core::Duration(150'000)}, {100, core::Duration(400'000)}};
  provider.dedupe_window = core::Duration(60'000'000);
  provider.ignores_keys = true;
  provider.rules = {{422, 997, 0}};
  provider.permille_503 = 1;
  provider.permille_422 = 2;
  provider.permille_429 = 3;
  provider.permille_accept_then_503 = 4;
  provider.permille_accept_then_silence = 5;
  EXPECT_EQ(got.provider, provider);
  EXPECT_EQ(got.sender.processes, 2);
  EXPECT_EQ(got.sender.lanes, 8);
  EXPECT_EQ(got.sender.rate_per_s, 400);
  EXPECT_EQ(got.sender.batch, 100);
  EXPECT_EQ(got.sender.env,
            (std::map<std::string, std::string>{{"POLL_MS", "50"}, {"NAME", "x y"}}));
  EXPECT_EQ(got.job.policy, JobPolicy::allow);
  EXPECT_EQ(got.job.backoff_limit, 6);
  EXPECT_EQ(got.job.memory_limit_bytes, 268'435'456);
  ASSERT_EQ(got.events.size(), 2U);
  EXPECT_EQ(got.events[0].when, Moment::read);
  EXPECT_EQ(got.events[0].who, "p2");
  EXPECT_EQ(got.events[1].when, Moment::accept);
  EXPECT_EQ(got.events[1].accept, 9);
  EXPECT_EQ(got.events[1].deeds, (std::vector{Deed::opt_out, Deed::outage, Deed::proceed}));
  EXPECT_EQ(got.events[1].first, 3);
  EXPECT_EQ(got.events[1].count, 4);
  EXPECT_EQ(got.events[1].lasts.count(), 5);
  EXPECT_TRUE(got.measure_memory);
  EXPECT_TRUE(got.measure_database);
  const auto& expect = got.expect.at("any");
  ASSERT_EQ(expect.size(), 3U);
  EXPECT_EQ(expect[0].relation, Relation::at_most);
  EXPECT_EQ(expect[0].values, std::vector<std::int64_t>{200});
  EXPECT_EQ(expect[1].relation, Relation::at_least);
  EXPECT_EQ(expect[1].values, std::vector<std::int64_t>{300});
  EXPECT_EQ(expect[2].relation, Relation::equal);
  EXPECT_EQ(expect[2].values, (std::vector<std::int64_t>{137, 0}));
  EXPECT_EQ(expect[2].line, 46);
}

TEST(Reader, AnUnknownKeyIsRefusedWithItsLineAndTheNearestKey) {
  EXPECT_EQ(refusal("[audience]\nmember = 5\n"),
            "a.toml:3: unknown key \"member\" in [audience]; did you mean \"members\"?");
  EXPECT_EQ(refusal("[audiense]\n"),
            "a.toml:2: unknown key \"audiense\"; did you mean \"audience\"?");
  EXPECT_EQ(refusal("[audience]\npriority = 5\n"),
            "a.toml:3: unknown key \"priority\" in [audience]; known here: members");
  EXPECT_EQ(refusal("[[event]]\nwhen = \"read\"\ndoo = \"kill\"\n"),
            "a.toml:4: unknown key \"doo\" in [[event]]; did you mean \"do\"?");
  EXPECT_EQ(refusal("[[provider.rule]]\nstatus = 503\nevry = 3\n"),
            "a.toml:4: unknown key \"evry\" in [[provider.rule]]; did you mean \"every\"?");
  EXPECT_EQ(refusal("[expect.refrence]\nlost = 0\n"),
            "a.toml:2: unknown key \"refrence\" in [expect]; did you mean \"reference\"?");
}

TEST(Reader, AWrongTypeIsRefusedWithItsLineAndWhatWouldBeRight) {
  EXPECT_EQ(refusal("[audience]\nmembers = \"many\"\n"),
            "a.toml:3: audience.members must be an integer from 1 to 100000000, not \"many\"");
  EXPECT_EQ(refusal("[provider]\nignores_keys = 1\n"),
            "a.toml:3: provider.ignores_keys must be true or false, not 1");
  EXPECT_EQ(refusal("[job]\npolicy = 1\n"), "a.toml:3: job.policy must be a text in quotes, not 1");
  EXPECT_EQ(refusal("sender = 5\n"), "a.toml:2: [sender] must be a table, not 5");
  EXPECT_EQ(refusal("[event]\nwhen = \"read\"\n"),
            "a.toml:2: event must be written [[event]], not as a table");
  EXPECT_EQ(refusal("[expect]\nnaive = [1]\n"),
            "a.toml:3: [expect.naive] must be a table, not a list of 1");
}

TEST(Reader, FractionsAreRefused) {
  EXPECT_EQ(refusal("[sender]\nlanes = 8.0\n"),
            "a.toml:3: sender.lanes must be an integer from 1 to 1000, not a fraction");
  EXPECT_EQ(refusal("[expect.naive]\nlost = 1.5\n"),
            "a.toml:3: lost can't be a fraction; write 0, \"<= 200\" or \">= 300\"");
}

TEST(Reader, AValueOutOfRangeIsRefused) {
  EXPECT_EQ(refusal("[audience]\nmembers = 0\n"),
            "a.toml:3: audience.members must be an integer from 1 to 100000000, not 0");
  EXPECT_EQ(
      refusal("[sender]\nprocesses = 5\n"),
      "a.toml:3: 5 processes x 100 lanes: the provider serves 900 connections, and this needs "
      "1016 (twice the lanes, for restarts, of two processes at least)");
  EXPECT_EQ(refusal("[sender]\nlanes = 1001\n"),
            "a.toml:3: sender.lanes must be an integer from 1 to 1000, not 1001");
  EXPECT_EQ(refusal("[job]\nbackoff_limit = -1\n"),
            "a.toml:3: job.backoff_limit must be an integer from 0 to 100, not -1");
  EXPECT_EQ(refusal("[job]\nmemory_limit_bytes = -1\n"),
            "a.toml:3: job.memory_limit_bytes must be an integer from 0, not -1");
  EXPECT_EQ(refusal("[[provider.rule]]\nstatus = 600\nevery = 1\n"),
            "a.toml:3: provider.rule.status must be an integer from 0 to 599, not 600");
  EXPECT_EQ(refusal("[job]\npolicy = \"replace\"\n"),
            "a.toml:3: job.policy must be \"allow\" or \"forbid\", not \"replace\"");
}

TEST(Reader, AudienceSizesAscend) {
  EXPECT_EQ(refusal("[audience]\nmembers = [10, 10]\n"),
            "a.toml:3: audience.members must ascend, but 10 follows 10");
  EXPECT_EQ(refusal("[audience]\nmembers = []\n"),
            "a.toml:3: audience.members is an empty list; give a size, like 10000");
  EXPECT_EQ(refusal("[audience]\nmembers = [\n 1,\n true]\n"),
            "a.toml:5: audience.members must be an integer from 1 to 100000000, not true");
}

TEST(Reader, SharesAddUp) {
  EXPECT_EQ(refusal("[provider]\nlatency_us = [[900, 1]]\n"),
            "a.toml:3: the permilles of provider.latency_us add up to 900, not 1000");
  EXPECT_EQ(refusal("[provider]\nlatency_us = [5]\n"),
            "a.toml:3: provider.latency_us must be a list of [permille, us], "
            "like [[900, 150000], [100, 400000]], not 5");
  EXPECT_EQ(refusal("[provider]\nlatency_us = [[1000, -1]]\n"),
            "a.toml:3: the time of provider.latency_us must be an integer from 0 to 2592000000000, "
            "not -1");
  EXPECT_EQ(refusal("[provider]\npermille_503 = 600\npermille_429 = 401\n"),
            "a.toml:2: the permilles of [provider] add up to 1001, more than 1000");
}

TEST(Reader, WhatMustBeThereIsNamed) {
  EXPECT_EQ(parse_scenario("seed = 1\n", "a.toml").error().message(),
            "a.toml:1: title is missing, like title = \"what happens, in one line\"");
  EXPECT_EQ(refusal("[[event]]\ndo = \"kill\"\n"),
            "a.toml:2: [[event]] when is missing, like when = \"accept 6000\"");
  EXPECT_EQ(refusal("[[event]]\nwhen = \"read\"\n"),
            "a.toml:2: [[event]] do is missing, like do = \"freeze|kill\"");
  EXPECT_EQ(refusal("[[provider.rule]]\nstatus = 503\n"),
            "a.toml:2: [[provider.rule]] every is missing, like every = 25");
  EXPECT_EQ(refusal("[[event]]\nwhen = \"read\"\ndo = \"opt_out\"\nfirst = 1\n"),
            "a.toml:2: [[event]] count is missing, like count = 250");
}

TEST(Reader, ARuleAnswersWithAnErrorOrNever) {
  const auto rule = [](const std::string& status) {
    return refusal("[[provider.rule]]\nevery = 2\nstatus = " + status + "\n");
  };
  EXPECT_EQ(rule("0"), "accepted");
  EXPECT_EQ(rule("200"),
            "a.toml:4: provider.rule.status must be 400 to 599, or 0 for a mail that is delivered "
            "and never answered, not 200");
}

TEST(Reader, AnotherSeedThanTheFilesIsKnown) {
  const auto other = [](std::optional<std::uint64_t> seed) {
    return read(kTitle + "seed = 3\n", {{}, seed}).seed_is_another;
  };
  EXPECT_FALSE(other(std::nullopt));
  EXPECT_FALSE(other(3));
  EXPECT_TRUE(other(4));
}

TEST(Reader, AnExpectationOfAnUnknownFieldIsRefused) {
  EXPECT_EQ(
      refusal("[expect.naive]\nduplicate = 0\n"),
      "a.toml:3: unknown field \"duplicate\" in [expect.naive]; did you mean \"duplicates\"?");
}

TEST(Reader, AnExpectationThatCantBeReadIsRefused) {
  const auto expectation = [](const std::string& line) {
    return refusal("[expect.naive]\n" + line + "\n");
  };
  EXPECT_EQ(expectation("lost = \"< 5\""),
            "a.toml:3: lost can't be \"< 5\"; write 0, \"<= 200\" or \">= 300\"");
  EXPECT_EQ(expectation("lost = \"<= -5\""),
            "a.toml:3: lost can't be \"<= -5\"; write 0, \"<= 200\" or \">= 300\"");
  EXPECT_EQ(expectation("lost = \"<= 5x\""),
            "a.toml:3: lost can't be \"<= 5x\"; write 0, \"<= 200\" or \">= 300\"");
  EXPECT_EQ(expectation("lost = -1"),
            "a.toml:3: lost can't be -1; write 0, \"<= 200\" or \">= 300\"");
  EXPECT_EQ(expectation("lost = [1]"),
            "a.toml:3: lost can't be a list of 1; write 0, \"<= 200\" or \">= 300\"");
  EXPECT_EQ(expectation("exit_codes = 0"),
            "a.toml:3: exit_codes must be a list in the order of ending, like [137, 0], not 0");
  EXPECT_EQ(expectation("exit_codes = [256]"),
            "a.toml:3: an exit code must be an integer from 0 to 255, not 256");
}

TEST(Reader, TheHarnesssOwnVariablesCantBeGiven) {
  EXPECT_EQ(refusal("[sender.env]\nLANES = 8\n"),
            "a.toml:3: LANES is set by the harness; give sender.lanes instead");
  EXPECT_EQ(refusal("[sender.env]\nDB_DSN = \"x\"\n"),
            "a.toml:3: DB_DSN is set by the harness; give --dsn instead");
  EXPECT_EQ(refusal("[sender.env]\nMAIL_URL = \"x\"\n"),
            "a.toml:3: MAIL_URL is set by the harness and can't be given");
  EXPECT_EQ(refusal("[sender.env]\nWINDOW = \"22:00-06:00 Asia/Tokyo\"\n"),
            "a.toml:3: WINDOW is set by the harness; give campaign.window instead");
  EXPECT_EQ(refusal("[sender.env]\npoll-ms = 8\n"),
            "a.toml:3: \"poll-ms\" is no environment variable; write capitals, digits and _, like "
            "POLL_MS");
  EXPECT_EQ(refusal("[sender.env]\nPOLL_MS = 1.5\n"),
            "a.toml:3: POLL_MS must be a text or an integer, not a fraction");
}

TEST(Reader, TheHoursOfACampaignAreCheckedAndHandedToItsSenders) {
  const std::string starts = "starts = \"2026-12-02T05:59:50+09:00\"\n";
  const Scenario got = read(kTitle + "[campaign]\nwindow = \"22:00-06:00 Asia/Tokyo\"\n" +
                            "not_after = \"2026-12-24T06:00+09:00\"\n" + starts);
  EXPECT_EQ(got.sender.env,
            (std::map<std::string, std::string>{{"WINDOW", "22:00-06:00 Asia/Tokyo"},
                                                {"NOT_AFTER", "2026-12-24T06:00+09:00"}}));
  EXPECT_EQ(got.campaign.starts, core::DbTime(std::chrono::seconds(1'796'158'790)));
  EXPECT_EQ(
      refusal("[campaign]\nwindow = \"22-6 Asia/Tokyo\"\n" + starts),
      "a.toml:3: campaign.window = \"22-6 Asia/Tokyo\": must be two different times of day and "
      "a zone, such as 22:00-06:00 Asia/Tokyo");
  EXPECT_TRUE(refusal("[campaign]\nnot_after = \"2026-12-24\"\n" + starts)
                  .starts_with("a.toml:3: campaign.not_after = \"2026-12-24\": must be a date"));
  EXPECT_TRUE(refusal("[campaign]\nwindow = \"22:00-06:00 Asia/Tokyo\"\n").contains("starts"));
}

TEST(Reader, MalformedTomlIsRefusedWithItsLine) {
  EXPECT_TRUE(refusal("[audience\nmembers = 5\n").starts_with("a.toml:2: this is not TOML: "));
  EXPECT_TRUE(refusal("[audience]\nmembers = 010\n").starts_with("a.toml:3: this is not TOML: "));
}

TEST(Reader, AFileNameThatCantNameAFolderIsRefused) {
  EXPECT_EQ(
      parse_scenario(kTitle, "x/my night.toml").error().message(),
      "x/my night.toml: a scenario's file name has only letters, digits, - and _ before .toml");
}

TEST(Set, OverridesAValueOfTheFile) {
  const Scenario got =
      read(kTitle + "[audience]\nmembers = 10_000\n[expect.naive]\nlost = 150\n",
           {{"audience.members=500", "sender.lanes=8", "provider.limit_per_s=500",
             "job.policy=allow", "expect.naive.lost=<= 7", "sender.env.POLL_MS=50"},
            7});
  EXPECT_EQ(got.audience.members, std::vector<std::int64_t>{500});
  EXPECT_EQ(got.sender.lanes, 8);
  EXPECT_EQ(got.provider.limit_per_s, 500);
  EXPECT_EQ(got.job.policy, JobPolicy::allow);
  EXPECT_EQ(got.sender.env.at("POLL_MS"), "50");
  EXPECT_EQ(got.expect.at("naive")[0].relation, Relation::at_most);
  EXPECT_EQ(got.expect.at("naive")[0].line, 0);
  EXPECT_EQ(got.seed, 7U);
  EXPECT_EQ(got.provider.seed, 7U);
  EXPECT_EQ(got.settings.size(), 6U);
}

TEST(Set, TheLastOneOfAKeyHolds) {
  EXPECT_EQ(read(kTitle, {{"sender.lanes=8", "sender.lanes=9"}, {}}).sender.lanes, 9);
}

TEST(Set, IsCheckedLikeTheFileAndNamedByItsArgument) {
  EXPECT_EQ(
      set_refusal("audience.member=5"),
      "--set audience.member=5: unknown key \"member\" in [audience]; did you mean \"members\"?");
  EXPECT_EQ(set_refusal("audience.members=many"),
            "--set audience.members=many: audience.members must be an integer from 1 to 100000000, "
            "not \"many\"");
  EXPECT_EQ(
      set_refusal("sender.lanes=1.5"),
      "--set sender.lanes=1.5: sender.lanes must be an integer from 1 to 1000, not a fraction");
  EXPECT_EQ(set_refusal("sender.lanes="),
            "--set sender.lanes=: sender.lanes must be an integer from 1 to 1000, not \"\"");
  EXPECT_EQ(set_refusal("sendr.lanes=5"),
            "--set sendr.lanes=5: unknown key \"sendr\"; did you mean \"sender\"?");
  EXPECT_EQ(set_refusal("audience.members.x=5"),
            "--set audience.members.x=5: audience.members is an integer, not a table");
  EXPECT_EQ(set_refusal("expect.naive.losst=5"),
            "--set expect.naive.losst=5: unknown field \"losst\" in [expect.naive]; did you mean "
            "\"lost\"?");
}

TEST(Choices, EachIsTheWholeScenarioWithItsValuesChanged) {
  const auto read = parse_scenario(R"(title = "t"
[cronjob]
starts = 4
every_s = 86400
[[choice]]
name = "one"
set = ["cronjob.every_s=21600", "sender.env.DEADLINE_S=100"]
[[choice]]
name = "two"
set = []
)",
                                   "nights.toml", {.settings = {"audience.members=7"}, .seed = 5});
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->choices.size(), 2U);
  const Scenario& one = read->choices[0];
  EXPECT_EQ(one.choice, "one");
  EXPECT_EQ(one.name, "nights");
  EXPECT_EQ(one.seed, 5U);
  EXPECT_EQ(one.audience.members, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(one.cronjob.every, std::chrono::hours(6));
  EXPECT_EQ(one.sender.env.at("DEADLINE_S"), "100");
  EXPECT_TRUE(one.choices.empty());
  EXPECT_EQ(read->choices[1].cronjob.every, std::chrono::hours(24));
}

TEST(Choices, AWrongOneIsNamedWithItsLine) {
  const auto message = [](const std::string& choices) {
    const auto read = parse_scenario("title = \"t\"\n" + choices, "nights.toml");
    return read ? "read" : read.error().message();
  };
  EXPECT_EQ(message("[[choice]]\nname = \"a\"\nset = [\"job.no=1\"]\n")
                .find("nights.toml:2: choice \"a\": "),
            0U)
      << message("[[choice]]\nname = \"a\"\nset = [\"job.no=1\"]\n");
  EXPECT_NE(message("[[choice]]\nname = \"a\"\nset = []\n[[choice]]\nname = \"a\"\nset = []\n")
                .find("two choices \"a\""),
            std::string::npos);
  EXPECT_NE(message("[[choice]]\nset = []\n").find("name = "), std::string::npos);
  EXPECT_NE(message("[[choice]]\nname = \"a\"\nset = [1]\n").find("must be a list of texts"),
            std::string::npos);
  EXPECT_NE(message("[cronjob]\nstarts = 2\n").find("every_s"), std::string::npos);
}

}  // namespace
}  // namespace scenarios
