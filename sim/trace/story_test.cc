#include "sim/trace/story.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/explore/random.h"
#include "sim/trace/cell.h"
#include "sim/trace/wording.h"

namespace sim {
namespace {

// A night of two workers and four members in batches of two, told step by step as it is made.
class Tale : public testing::Test {
 protected:
  Tale() {
    settings_.members = 4;
    settings_.policy.batch = 2;
    settings_.policy.lanes = 2;
    settings_.policy.rate_per_s = 0;
    for (const Fault fault : {Fault::kill, Fault::freeze, Fault::statement, Fault::request})
      settings_.budget[fault] = 3;
  }

  // What came of the move. Requires: it is offered after the default schedule's steps up to there.
  std::string after(const std::string& text) {
    const Move move = *move_of(text);
    World world(settings_);
    for (const Step& step : steps_) world.apply(*world.find(step.move));
    std::vector<Offer> offers;
    while (!world.over() && !world.find(move)) {
      world.offers(offers);
      steps_.push_back({offers.front().move, false});
      world.apply(offers.front());
    }
    steps_.push_back({move, true});
    return story_of(settings_, steps_).back().came_of_it;
  }

  WorldSettings settings_;
  std::vector<Step> steps_;
};

TEST_F(Tale, SaysWhatTheDatabaseAnswers) {
  EXPECT_EQ(after("w1 plan - done"), "b1: m1-m2, b2: m3-m4");
  EXPECT_EQ(after("w2 plan - done"), "somebody else has planned");
  EXPECT_EQ(after("w1 claim_retries - done"), "there is none");
  EXPECT_EQ(after("w1 claim_batch - done"), "gets b1: m1 m2");
  EXPECT_EQ(after("w1 recheck - done"), "m1 m2 may be mailed");
  EXPECT_EQ(after("w1 send m1 done"), "provider delivers, answers 200");
  EXPECT_EQ(after("w1 record_batch b1 done"), "m1 is recorded sent; b1 stays claimed");
}

TEST_F(Tale, SaysWhoTakesOverFromWhom) {
  after("w1 recheck - done");
  EXPECT_EQ(after("w1 freeze - past_lease"), "until 91 s");
  EXPECT_EQ(after("w2 claim_batch - done"), "gets b2: m3 m4");
  EXPECT_EQ(after("w2 record_batch b2 done"), "m3 is recorded sent; b2 stays claimed");
  while (after("env time - done").find("the lease of b1") == std::string::npos) {
  }
  EXPECT_EQ(after("w2 claim_batch - done"), "takes over b1 from w1: m1 m2");
  EXPECT_EQ(after("w2 send m1 done"), "provider delivers, answers 200");
}

TEST_F(Tale, SaysThatARequestIsNotMade) {
  after("w1 recheck - done");
  after("w1 freeze - past_lease");
  EXPECT_EQ(after("w1 send m1 done"),
            "too late, its check, slot or lease is over: nothing is sent");
}

TEST_F(Tale, SaysWhatARepeatIs) {
  settings_.workers = 1;
  EXPECT_EQ(after("w1 send m1 reset"), "provider delivers, answers 200");
  EXPECT_TRUE(after("w1 record_batch b1 done").contains("m1 is to be tried again at "));
  EXPECT_EQ(after("w1 send m1 done"), "provider knows the key: no second mail, answers 200");
}

TEST_F(Tale, SaysThatAProcessIsStartedAgain) {
  after("w1 send m1 done");
  EXPECT_EQ(after("w1 kill - done"), "w1 is started again");
}

TEST(Wording, TellsEveryChoiceApart) {
  std::set<std::string> seen;
  for (std::size_t command = 0; command < command_count; ++command) {
    for (std::size_t choice = 0; choice < choice_count; ++choice) {
      const Move move{0, static_cast<Command>(command), 7, static_cast<Choice>(choice)};
      if (!can_be(move.command, move.choice)) continue;
      if (move.choice == Choice::accepted_503) continue;  // told by what came of it
      EXPECT_TRUE(seen.insert(wording(move)).second) << to_text(move);
    }
  }
}

TEST(Wording, WritesSecondsAsShortAsTheyAre) {
  EXPECT_EQ(seconds(core::Duration(90'000'000)), "90");
  EXPECT_EQ(seconds(core::Duration(1'500)), "0.0015");
}

}  // namespace
}  // namespace sim
