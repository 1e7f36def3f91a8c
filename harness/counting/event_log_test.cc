#include "harness/counting/event_log.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/expectations.h"

namespace harness {
namespace {

using reports::Verdict;
using scenarios::Deed;

scenarios::Event at_300(std::vector<Deed> deeds) {
  scenarios::Event event;
  event.accept = 300;
  event.deeds = std::move(deeds);
  event.who = "p9";
  event.first = 900;
  event.count = 100;
  return event;
}

// Of one event that fires with one deed.
std::string nothing_came_of(Deed deed, const Found& found, bool expects_nothing = false) {
  std::vector<scenarios::Event> events{at_300({deed})};
  events[0].expects_nothing = expects_nothing;
  EventLog log(events);
  log.fires(0);
  log.does(0, deed, found);
  reports::SenderResult result;
  log.judge(false, result);
  std::string text;
  for (const reports::Check& check : result.checks)
    text += check.claim + ": " + std::string(verdict_name(check.verdict)) + ": " + check.seen;
  return text;
}

TEST(EventLog, WhatChangesSomethingIsNotMentioned) {
  const Found lives{.who = "p9", .alive = true};
  for (const Deed deed : {Deed::kill, Deed::stop}) EXPECT_EQ(nothing_came_of(deed, lives), "");
  EXPECT_EQ(nothing_came_of(Deed::proceed, {.alive = true, .stopped = true}), "");
  EXPECT_EQ(nothing_came_of(Deed::start, {}), "");
  EXPECT_EQ(nothing_came_of(Deed::opt_out, {.opted_out = 1}), "");
  for (const Deed deed : {Deed::outage, Deed::advance}) EXPECT_EQ(nothing_came_of(deed, {}), "");
}

TEST(EventLog, WhatChangesNothingIsInconclusive) {
  const std::string begin = "the event at accept 300 changes something: inconclusive: ";
  EXPECT_EQ(nothing_came_of(Deed::kill, {.who = "p9"}), begin + "kill: no process p9 runs");
  EXPECT_EQ(nothing_came_of(Deed::stop, {.who = "p9"}), begin + "stop: no process p9 runs");
  EXPECT_EQ(nothing_came_of(Deed::stop, {.who = "p9", .alive = true, .stopped = true}),
            begin + "stop: p9 is stopped already");
  EXPECT_EQ(nothing_came_of(Deed::proceed, {.who = "p9"}), begin + "continue: no process p9 runs");
  EXPECT_EQ(nothing_came_of(Deed::proceed, {.who = "p9", .alive = true}),
            begin + "continue: p9 is not stopped");
  EXPECT_EQ(nothing_came_of(Deed::start, {.dropped = true}),
            begin + "start: dropped, for the Job runs and its policy is forbid");
  EXPECT_EQ(nothing_came_of(Deed::opt_out, {}),
            begin + "opt_out: members 900 to 999 have opted out already, or are none");
  EXPECT_EQ(nothing_came_of(Deed::freeze, {}),
            begin + "freeze: nothing is done while the provider waits");
}

TEST(EventLog, OneDeedOfSeveralIsEnough) {
  const std::vector events{at_300({Deed::freeze, Deed::kill, Deed::advance})};
  EventLog log(events);
  log.fires(0);
  log.does(0, Deed::freeze);
  log.does(0, Deed::kill, {.who = "p9"});
  log.does(0, Deed::advance);
  reports::SenderResult result;
  log.judge(false, result);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].seen, "kill: no process p9 runs");
}

// The drop is the event; where the start is made after all, that was not tested.
TEST(EventLog, AnEventMayExpectNothing) {
  EXPECT_EQ(nothing_came_of(Deed::start, {.dropped = true}, true),
            "the event at accept 300 changes nothing: passed: start: dropped, for the Job runs and "
            "its policy is forbid");
  EXPECT_EQ(nothing_came_of(Deed::start, {}, true),
            "the event at accept 300 changes nothing: inconclusive: it did: start");
}

TEST(EventLog, AnEventThatNeverFiredIsInconclusiveUnlessTheNightWasCutShort) {
  const std::vector events{at_300({Deed::kill})};
  const EventLog log(events);
  reports::SenderResult result;
  log.judge(true, result);
  EXPECT_TRUE(result.checks.empty());
  log.judge(false, result);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(result.checks[0].claim, "the event at accept 300 happens");
}

}  // namespace
}  // namespace harness
