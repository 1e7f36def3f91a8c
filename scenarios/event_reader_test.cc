// Events in a scenario's text.
#include <gtest/gtest.h>

#include "scenarios/reader_testing.h"

namespace scenarios {
namespace {

TEST(Reader, AnEventThatCantHappenIsRefused) {
  const auto event = [](const std::string& rest) {
    return refusal("[[event]]\nwhen = \"accept 5\"\n" + rest);
  };
  EXPECT_EQ(
      refusal("[[event]]\nwhen = \"accept 0\"\ndo = \"kill\"\n"),
      "a.toml:3: event.when must be \"accept N\" with N from 1, or \"read\", not \"accept 0\"");
  EXPECT_EQ(
      refusal("[[event]]\nwhen = \"accept 5x\"\ndo = \"kill\"\n"),
      "a.toml:3: event.when must be \"accept N\" with N from 1, or \"read\", not \"accept 5x\"");
  EXPECT_EQ(event("do = \"freeze|kil\"\n"),
            "a.toml:4: event.do has no deed \"kil\"; did you mean \"kill\"?");
  EXPECT_EQ(event("do = \"kill|kill\"\n"),
            "a.toml:4: event.do says \"kill\" twice; once is enough");
  EXPECT_EQ(event("do = \"\"\n"),
            "a.toml:4: event.do names no deed; write it like \"freeze|kill\"");
  EXPECT_EQ(event("do = \"kill|\"\n"),
            "a.toml:4: event.do ends in |; write it like \"freeze|kill\"");
  EXPECT_EQ(event("do = \"kill\"\nwho = \"pod\"\n"),
            "a.toml:5: event.who must be \"owner\" or a process, \"p1\", \"p2\" ..., not \"pod\"");
  EXPECT_EQ(event("do = \"kill\"\nfirst = 1\n"),
            "a.toml:5: event.first belongs to opt_out, which this event doesn't do");
  EXPECT_EQ(event("do = \"kill\"\nlasts_us = 1\n"),
            "a.toml:5: event.lasts_us belongs to outage and advance, which this event doesn't do");
}

// Found here and not at the end of a run in which nothing happened.
TEST(Reader, AnEventBeyondTheAudienceIsRefused) {
  const std::string audience = "[audience]\nmembers = [50, 500]\n[[event]]\n";
  EXPECT_EQ(refusal(audience + "when = \"accept 51\"\ndo = \"kill\"\n"),
            "a.toml:5: event.when: mail 51 never comes to an audience of 50; give \"accept 50\" at "
            "most, or more members");
  EXPECT_EQ(refusal(audience + "when = \"accept 50\"\ndo = \"kill\"\n"), "accepted");
  const std::string opt_out = "when = \"accept 5\"\ndo = \"opt_out\"\ncount = 10\n";
  EXPECT_EQ(refusal(audience + opt_out + "first = 41\n"), "accepted");
  EXPECT_EQ(refusal(audience + opt_out + "first = 42\n"),
            "a.toml:8: event.first, count: members 42 to 51 opt out, and the audience ends at 50");
  const auto set = parse_scenario(kTitle + "[[event]]\nwhen = \"accept 6000\"\ndo = \"kill\"\n",
                                  "a.toml", {{"audience.members=500"}, {}});
  ASSERT_FALSE(set.has_value());
  EXPECT_TRUE(set.error().message().starts_with("a.toml:3: event.when: mail 6000 never comes"));
}

TEST(Reader, AnEventThatIsToChangeNothingSaysSo) {
  const std::string event = "[[event]]\nwhen = \"accept 5\"\ndo = \"start\"\n";
  EXPECT_FALSE(read(kTitle + event).events[0].expects_nothing);
  EXPECT_TRUE(read(kTitle + event + "expect = \"nothing\"\n").events[0].expects_nothing);
  EXPECT_EQ(refusal(event + "expect = \"drop\"\n"),
            "a.toml:5: event.expect must be \"nothing\", not \"drop\"; without it, a deed that "
            "changes nothing makes the run inconclusive");
}

TEST(Reader, AnEventAtAStatementIsRead) {
  const Scenario got = read(kTitle + R"(
[[event]]
when = "record_batch 31"
do = "ghost|kill"
[[event]]
when = "record_batch 32"
do = "land"
[[event]]
when = "count_totals 1"
do = "stop|lose_answer"
)");
  ASSERT_EQ(got.events.size(), 3U);
  EXPECT_EQ(got.events[0].when, Moment::statement);
  EXPECT_EQ(got.events[0].statement, "record_batch");
  EXPECT_EQ(got.events[0].nth, 31);
  EXPECT_EQ(got.events[0].deeds, (std::vector{Deed::ghost, Deed::kill}));
  EXPECT_EQ(got.events[2].deeds, (std::vector{Deed::stop, Deed::lose_answer}));
  EXPECT_EQ(text_of_moment(got.events[1]), "record_batch 32");
  EXPECT_EQ(usual_senders(got), std::vector<std::string>{"reference"});
}

TEST(Reader, AnEventAtAStatementThatCantHappenIsRefused) {
  const auto event = [](const std::string& when, const std::string& deeds) {
    return refusal("[[event]]\nwhen = \"" + when + "\"\ndo = \"" + deeds + "\"\n");
  };
  EXPECT_EQ(event("record_bach 3", "lose"),
            "a.toml:3: event.when has no moment \"record_bach\"; did you mean \"record_batch\"?");
  EXPECT_EQ(event("plan", "lose"),
            "a.toml:3: event.when must be \"plan N\" with N from 1, not \"plan\"");
  EXPECT_EQ(event("plan 0", "lose"),
            "a.toml:3: event.when must be \"plan N\" with N from 1, not \"plan 0\"");
  EXPECT_EQ(event("accept 3", "kill|lose"),
            "a.toml:4: event.do says \"lose\", which befalls a statement: write when = "
            "\"record_batch 31\"");
  EXPECT_EQ(event("plan 1", "ghost|kill|lose"),
            "a.toml:4: event.do says \"lose\" and \"ghost\": one thing becomes of a statement");
  EXPECT_EQ(
      event("plan 1", "ghost|land"),
      "a.toml:4: event.do says \"ghost\" and \"land\": let it land at a later event, or leave "
      "\"land\" out: then it lands after this event's deeds");
  EXPECT_EQ(event("plan 1", "land"),
            "a.toml:2: event.do says \"land\", and no event of the scenario does \"ghost\"");
  EXPECT_EQ(refusal("[[event]]\nwhen = \"plan 1\"\ndo = \"lose\"\n"
                    "[[event]]\nwhen = \"plan 1\"\ndo = \"kill\"\n"),
            "a.toml:6: event.when says \"plan 1\" a second time; join the deeds by a bar, like "
            "\"lose_answer|kill\"");
}

}  // namespace
}  // namespace scenarios
