#include "harness/cli/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace harness::cli {
namespace {

using namespace std::chrono_literals;

class ProgressTest : public testing::Test {
 protected:
  ConsoleProgress::Clock::time_point now_{};
  std::ostringstream out_;
  ConsoleProgress make(bool is_terminal) {
    return {out_, is_terminal, [this] { return now_; }};
  }
  std::string taken() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }
};

TEST_F(ProgressTest, WithoutATerminalALineEveryFiveSeconds) {
  ConsoleProgress progress = make(false);
  progress.stage("starting PostgreSQL");
  EXPECT_EQ(taken(), "   0 s  starting PostgreSQL\n");
  now_ += 4999ms;
  progress.count("reference", 5'000, 10'000, 8'123);
  EXPECT_EQ(taken(), "");
  now_ += 1ms;
  progress.count("reference", 6'000, 10'000, 8'123);
  EXPECT_EQ(taken(), "   5 s  reference: 6,000 mails accepted for 10,000 members, 8,123/s\n");
  progress.count("reference", 6'001, 10'000, 8'123);
  EXPECT_EQ(taken(), "");
  progress.note("naive was killed");
  EXPECT_EQ(taken(), "   5 s  naive was killed\n");
}

TEST_F(ProgressTest, OnATerminalOneLineIsRewrittenAndClearedAtTheEnd) {
  {
    ConsoleProgress progress = make(true);
    progress.stage("starting");
    EXPECT_EQ(taken(), "\r\x1b[Kstarting");
    now_ += 100ms;
    progress.count("naive", 1, 2, 3);
    EXPECT_EQ(taken(), "\r\x1b[Knaive: 1 mails accepted for 2 members, 3/s");
    now_ += 99ms;
    progress.count("naive", 2, 2, 3);
    EXPECT_EQ(taken(), "");
    progress.note("a note");
    EXPECT_EQ(taken(),
              "\r\x1b[K   0 s  a note\n\r\x1b[Knaive: 1 mails accepted for 2 members, 3/s");
  }
  EXPECT_EQ(taken(), "\r\x1b[K");
}

TEST_F(ProgressTest, ARewrittenLineNeverWrapsAndNothingControlsTheTerminal) {
  ConsoleProgress progress = make(true);
  progress.stage(std::string(500, 'x') + "\n\x1b[2J");
  const std::string line = taken();
  EXPECT_EQ(line.size(), 79 + std::string("\r\x1b[K").size());
  EXPECT_FALSE(line.contains('\n'));
  progress.note("\x1b[2J");
  EXPECT_TRUE(taken().contains("?[2J"));
}

}  // namespace
}  // namespace harness::cli
