#include "core/assertion_text.h"

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(AssertionText, IsTheSentenceAndThePlaceInTheRepository) {
  EXPECT_EQ(assertion_text("false && \"nobody is mailed twice\"", __FILE__, 12),
            "nobody is mailed twice, at core/assertion_text_test.cc:12");
}

TEST(AssertionText, IsTheConditionWhereThereIsNoSentence) {
  EXPECT_EQ(assertion_text("held > 0", __FILE__, 3), "held > 0, at core/assertion_text_test.cc:3");
  EXPECT_EQ(assertion_text("held > 0", "../core/claim.cc", 3), "held > 0, at core/claim.cc:3");
  EXPECT_EQ(assertion_text("name == \"a\"", "/elsewhere/a.cc", 3),
            "name == \"a\", at /elsewhere/a.cc:3");
}

}  // namespace
}  // namespace core
