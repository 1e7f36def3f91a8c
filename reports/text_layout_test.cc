#include "reports/text_layout.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

TEST(TextLayout, WidthCountsCharacters) {
  EXPECT_EQ(width_of("\xC3\xA9\xE6\x97\xA5x"), 3U);
}

TEST(TextLayout, ShortenedKeepsBothEnds) {
  EXPECT_EQ(shortened("python3 mine.py", 15), "python3 mine.py");
  EXPECT_EQ(shortened("python3 mine.py --fast", 15), "python...--fast");
}

TEST(TextLayout, NothingThatATerminalWouldObeyGetsThrough) {
  EXPECT_EQ(shortened("a\x1b[2Jb\n\xff", 20), "a?[2Jb??");
  EXPECT_EQ(wrapped("a\x1b\nb", 20), "a??b\n");
}

TEST(TextLayout, Pads) {
  EXPECT_EQ(padded_left("\xC3\xA9", 3), "  \xC3\xA9");
  EXPECT_EQ(padded_right("\xC3\xA9", 3), "\xC3\xA9  ");
  EXPECT_EQ(padded_right("long", 3), "long");
}

TEST(TextLayout, WrapsAtBlanks) {
  EXPECT_EQ(wrapped("", 12), "\n");
  EXPECT_EQ(wrapped("one two", 12), "one two\n");
  EXPECT_EQ(wrapped("one two three four", 12), "one two\n    three\n    four\n");
  EXPECT_EQ(wrapped("abcdefghijklmnop", 12), "abcdefghijkl\n    mnop\n");
}

}  // namespace
}  // namespace reports
