#include "scenarios/nearest.h"

#include <gtest/gtest.h>

namespace scenarios {
namespace {

const std::vector<std::string> kKnown = {"members", "lanes", "processes"};

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(nearest("member", kKnown), "members");
  EXPECT_EQ(nearest("LANES", kKnown), "lanes");
  EXPECT_EQ(nearest("proecsses", kKnown), "processes");
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("colour", kKnown), std::nullopt);
  EXPECT_EQ(nearest("", kKnown), std::nullopt);
  EXPECT_EQ(nearest(std::string(1'000'000, 'x'), kKnown), std::nullopt);
}

TEST(Nearest, ASwapOfNeighboursIsOneMistake) {
  const std::vector<std::string> known = {"abcd", "badc"};
  EXPECT_EQ(nearest("abdc", known), "abcd");
}

TEST(Suggestion, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggestion("member", kKnown), "did you mean \"members\"?");
  EXPECT_EQ(suggestion("colour", kKnown), "known here: members, lanes, processes");
}

TEST(Suggestion, DoesNotListAHundred) {
  std::vector<std::string> many;
  for (int i = 100; i < 200; ++i) many.push_back("word-" + std::to_string(i));
  EXPECT_EQ(suggestion("colour", many),
            "known here: word-100, word-101, word-102, word-103, word-104, word-105 and 94 more");
}

}  // namespace
}  // namespace scenarios
