#include "core/one_line.h"

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(OneLine, ControlCharactersAreSpelledAndNothingElseIsTouched) {
  using namespace std::string_literals;
  EXPECT_EQ(on_one_line("a\nb\r\n\tc\x1b[2J\0\x7f"s), "a\\nb\\r\\n\\tc\\x1b[2J\\x00\\x7f");
  EXPECT_EQ(on_one_line("back\\slash \"jos\u00e9\" \xff"), "back\\slash \"jos\u00e9\" \xff");
  EXPECT_EQ(on_one_line(""), "");
}

}  // namespace
}  // namespace core
