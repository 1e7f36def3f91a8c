#include "harness/simulation/trace_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "sim/explore/random.h"

namespace harness {
namespace {

class TraceFile : public testing::Test {
 protected:
  TraceFile()
      : file_(testing::TempDir() + "trace_file." + std::to_string(getpid()) + ".trace"),
        trace_(sim::trace_of(settings_, sim::replay(settings_, {}))) {}
  ~TraceFile() override { std::filesystem::remove(file_); }
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }
  std::string refusal(const std::string& file) {
    const auto read = read_trace(file);
    return read ? "accepted" : read.error();
  }
  const sim::WorldSettings settings_ = sim::drawn_settings(3);
  const std::string file_;
  const sim::Trace trace_;
};

TEST_F(TraceFile, IsReadFromAFileOrAWord) {
  write(to_text(trace_));
  EXPECT_EQ(read_trace(file_)->steps, trace_.steps);
  EXPECT_EQ(read_trace(to_word(trace_))->ending, trace_.ending);
}

TEST_F(TraceFile, ARefusalNamesFileLineAndWhatWouldBeRight) {
  std::string text = to_text(trace_);
  write("sendproof-tracs 1\n");
  EXPECT_EQ(refusal(file_), file_ + ":1: this is no trace; its first word is sendproof-trace");
  write("sendproof-trace 1\n");
  EXPECT_EQ(refusal(file_), file_ +
                                ":1: the line's checksum is missing or cut; copy the trace "
                                "whole; after an edit by hand, --resign makes its checksums "
                                "right");
  text.replace(text.find(" plan "), 6, " plam ");
  write(text);
  EXPECT_EQ(resign_trace(file_).error(),
            file_ + ":2: no step is named \"plam\"; did you mean \"plan\"?");
  EXPECT_EQ(refusal("nowhere.trace"),
            "nowhere.trace: no such file; give a trace file or a trace's word");
  EXPECT_EQ(refusal(testing::TempDir()),
            testing::TempDir() + ": can't be read; give a trace file or a trace's word");
  std::string word = to_word(trace_);
  word[20] = '!';
  EXPECT_TRUE(refusal(word).starts_with("the word " + word.substr(0, 12) + "...:1: "))
      << refusal(word);
}

TEST_F(TraceFile, TheSchemaIsLookedAtBeforeTheChecksum) {
  for (const char* end : {" statements=00000000 ~00000000\n", "\n", ""}) {
    write(std::string("sendproof-trace 2") + end);
    EXPECT_EQ(refusal(file_), file_ +
                                  ":1: a trace of schema \"2\"; this program reads schema 1; "
                                  "take the one that wrote it");
  }
}

TEST_F(TraceFile, ItsWayThroughAnotherSystemDoesNotDamageIt) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : to_text(trace_)) text += c == '\n' ? "\r\n" : std::string(1, c);
  write(text);
  const auto read = read_trace(file_);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->steps, trace_.steps);
}

TEST_F(TraceFile, AnEditedOneIsSignedAgain) {
  std::string text = to_text(trace_);
  text.replace(text.find(" seed=3 "), 8, " seed=4 ");
  write(text);
  EXPECT_NE(refusal(file_), "accepted");
  ASSERT_TRUE(resign_trace(file_));
  EXPECT_EQ(read_trace(file_)->settings.seed, 4U);
}

}  // namespace
}  // namespace harness
