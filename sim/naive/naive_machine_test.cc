#include "sim/naive/naive_machine.h"

#include <gtest/gtest.h>

#include <string>

namespace sim {
namespace {

// A command in one word, so that a run is a line of text.
struct Word {
  std::string operator()(const NaiveRead&) const { return "read"; }
  std::string operator()(const NaivePost& post) const {
    return "post" + std::to_string(post.member);
  }
  std::string operator()(const NaiveMark& mark) const {
    return "mark" + std::to_string(mark.member);
  }
  std::string operator()(const NaivePrintFailed& failed) const {
    return "failed" + std::to_string(failed.member);
  }
  std::string operator()(const NaiveExit& exit) const { return "exit" + std::to_string(exit.code); }
};

constexpr int reset = 0;  // instead of a status

// Drives the machine to its end; `statuses` answer its posts, and 200 does when they are used up.
std::string run(NaiveMachine machine, std::int64_t members, std::vector<int> statuses = {}) {
  std::string said;
  std::size_t posts = 0;
  while (true) {
    const NaiveCommand command = machine.next();
    said += (said.empty() ? "" : " ") + std::visit(Word{}, command);
    if (std::holds_alternative<NaiveExit>(command)) return said;
    if (std::holds_alternative<NaiveRead>(command)) {
      std::vector<NaiveMember> list;
      for (std::int64_t id = 1; id <= members; ++id) list.push_back({id, ""});
      machine.on_audience(std::move(list));
    } else if (std::holds_alternative<NaivePost>(command)) {
      const int status = posts < statuses.size() ? statuses[posts] : 200;
      ++posts;
      if (status == reset)
        machine.on_network_error();
      else
        machine.on_status(status);
    } else {
      machine.on_done();
    }
  }
}

TEST(NaiveMachine, MailsTheListInOrderAndMarksEachMemberByItself) {
  EXPECT_EQ(run({}, 3), "read post1 mark1 post2 mark2 post3 mark3 exit0");
  EXPECT_EQ(run({}, 0), "read exit0");
}

TEST(NaiveMachine, SwallowsEveryAnswerThatIsNot200AndReportsSuccess) {
  EXPECT_EQ(run({}, 4, {503, 422, 202, 429}),
            "read post1 failed1 post2 failed2 post3 failed3 post4 failed4 exit0");
}

TEST(NaiveMachine, ANetworkErrorEndsItWith1AndTheRestIsNotMailed) {
  EXPECT_EQ(run({}, 3, {200, reset}), "read post1 mark1 post2 exit1");
}

TEST(NaiveMachine, PostsTheAddressThatWasRead) {
  NaiveMachine machine;
  machine.next();
  machine.on_audience({{7, "seven@example.jp"}});
  EXPECT_EQ(std::get<NaivePost>(machine.next()).email, "seven@example.jp");
}

TEST(NaiveMachine, ACopyGoesItsOwnWay) {
  NaiveMachine machine;
  machine.next();
  machine.on_audience({{1, ""}, {2, ""}});
  NaiveMachine copy = machine;
  EXPECT_EQ(run(copy, 2), "post1 mark1 post2 mark2 exit0");
  EXPECT_EQ(run(machine, 2, {503}), "post1 failed1 post2 mark2 exit0");
}

TEST(NaiveMachine, HoldsMoreWithEveryMember) {
  const auto held = [](std::size_t members, const std::string& email) {
    NaiveMachine machine;
    machine.next();
    machine.on_audience(std::vector<NaiveMember>(members, {1, email}));
    return machine.held_bytes();
  };
  const std::string long_email(40, 'x');
  EXPECT_EQ(NaiveMachine().held_bytes(), 0U);
  EXPECT_EQ(held(1'000, ""), 1'000 * sizeof(NaiveMember));
  EXPECT_EQ(held(2'000, ""), 2'000 * sizeof(NaiveMember));
  EXPECT_GE(held(1'000, long_email), 1'000 * (sizeof(NaiveMember) + 41));
}

TEST(NaiveMachine, AnswersOnlyFitTheirCommands) {
  NaiveMachine machine;
  EXPECT_ANY_THROW(machine.on_audience({}));  // not asked yet
  machine.next();
  EXPECT_ANY_THROW(machine.next());
  EXPECT_ANY_THROW(machine.on_status(200));
  EXPECT_ANY_THROW(machine.on_done());
  machine.on_audience({{1, ""}});
  machine.next();
  EXPECT_ANY_THROW(machine.on_done());
  machine.on_network_error();
  machine.next();
  EXPECT_ANY_THROW(machine.next());
}

}  // namespace
}  // namespace sim
