#include "harness/cli/simulation_commands.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/simulation/trace_file.h"
#include "sim/explore/random.h"

namespace harness::cli {
namespace {
namespace fs = std::filesystem;

class SimulationCommands : public testing::Test {
 protected:
  SimulationCommands()
      : folder_(fs::path(testing::TempDir()) / ("simulation." + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SimulationCommands() override { fs::remove_all(folder_); }

  Exit call(const std::vector<std::string>& words) {
    out_.str("");
    err_.str("");
    return run_command_line(words, {out_, err_});
  }
  Exit explore(const std::vector<std::string>& more) {
    std::vector<std::string> words{"explore", "--jobs", "2", "--out", folder_.string()};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  }
  // The only trace that was written.
  std::string trace() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.path().filename() == "trace.txt") found.push_back(entry.path());
    }
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? "" : found.front().string();
  }
  std::string last_line() const {
    const std::string text = out_.str();
    const std::size_t end = text.size() - 1;
    return text.substr(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1) - 1);
  }
  static std::string named(sim::Oracle oracle) {
    return std::string(text_of(oracle).name) + ": " + std::string(text_of(oracle).claim);
  }
  void no_line_is_longer_than(std::size_t most) const {
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("again: ")) continue;
      EXPECT_LE(line.size(), most) << line;
    }
  }

  fs::path folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(SimulationCommands, ExploreHoldsAndSaysWhatItDid) {
  EXPECT_EQ(explore({"--schedules", "300"}), Exit::holds);
  EXPECT_TRUE(out_.str().starts_with("explore: seeds 1 to 300\n\nschedules ")) << out_.str();
  EXPECT_TRUE(out_.str().contains("never passed: ")) << out_.str();
  EXPECT_TRUE(out_.str().ends_with("the gate on cells begins at 50,000 schedules\n")) << out_.str();
  no_line_is_longer_than(100);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SimulationCommands, ABrokenOracleIsShrunkToldWrittenAndCanBeReplayed) {
  EXPECT_EQ(explore({"--bug", "record_batch.token"}), Exit::failed);
  EXPECT_TRUE(out_.str().contains("\n" + named(sim::Oracle::S4) + "\nbroken: ")) << out_.str();
  EXPECT_TRUE(out_.str().contains("\ncause: step ")) << out_.str();
  EXPECT_TRUE(out_.str().contains("\n*")) << out_.str();
  no_line_is_longer_than(100);
  const std::string file = trace();
  const std::string again = last_line();
  const std::string start = "again: harness replay ";
  ASSERT_TRUE(again.starts_with(start)) << again;
  for (const std::string& what : {file, again.substr(start.size())}) {
    EXPECT_EQ(call({"replay", what}), Exit::failed);
    EXPECT_TRUE(out_.str().contains("\nfit: exact, ")) << out_.str();
    EXPECT_TRUE(out_.str().ends_with(": the same\n")) << out_.str();
    no_line_is_longer_than(100);
  }
}

// The disk is full, say. What was found is told before anything is written.
TEST_F(SimulationCommands, WhatCantBeWrittenIsToldAllTheSame) {
  const std::string nowhere = (folder_ / "file").string();
  std::ofstream(nowhere) << "";
  const std::vector<std::string> lost{"explore", "--bug", "record_batch.token", "--out", nowhere};
  EXPECT_EQ(call(lost), Exit::failed);
  EXPECT_TRUE(out_.str().contains("\n" + named(sim::Oracle::S4) + "\n")) << out_.str();
  EXPECT_FALSE(out_.str().contains("written: ")) << out_.str();
  EXPECT_TRUE(err_.str().contains("can't be written: ")) << err_.str();
  const std::string word = last_line().substr(std::string("again: harness replay ").size());
  EXPECT_EQ(call({"replay", word, "-o", nowhere + "/x"}), Exit::failed);
  EXPECT_TRUE(out_.str().contains("\nfit: exact, ")) << out_.str();
  EXPECT_TRUE(err_.str().contains("can't be written: ")) << err_.str();
  EXPECT_EQ(call({"shrink", word, "-o", nowhere + "/x"}), Exit::refused);
  EXPECT_TRUE(last_line().starts_with("again: harness replay ")) << out_.str();
  std::vector<std::string> as_json = lost;
  as_json.emplace_back("--json");
  EXPECT_EQ(call(as_json), Exit::failed);
  EXPECT_TRUE(nlohmann::json::parse(out_.str())["failed"]["trace"].is_null());
}

TEST_F(SimulationCommands, BugsAreListed) {
  EXPECT_EQ(explore({"--bug", "list"}), Exit::holds);
  EXPECT_TRUE(out_.str().contains("\nno-key ")) << out_.str();
  no_line_is_longer_than(100);
  const std::string text = out_.str();
  EXPECT_EQ(call({"exhaust", "--bug", "list"}), Exit::holds);
  EXPECT_EQ(out_.str(), text);
  EXPECT_EQ(explore({"--bug", "list", "--json"}), Exit::holds);
  const auto document = nlohmann::json::parse(out_.str());
  for (const auto& bug : document) {
    EXPECT_TRUE(text.contains(bug["name"].get<std::string>())) << bug;
    EXPECT_EQ(bug["oracle"].is_null(), bug["story"].is_null()) << bug;
  }
  EXPECT_EQ(explore({"--bug", "utter-nonsense"}), Exit::refused);
  EXPECT_EQ(err_.str(),
            "harness explore: --bug: no planted bug is named \"utter-nonsense\"; harness explore "
            "--bug list shows all\n");
}

TEST_F(SimulationCommands, TheResultIsTheSameWithAnyNumberOfJobs) {
  explore({"--bug", "record_batch.token", "--json"});
  const auto two = nlohmann::json::parse(out_.str());
  fs::remove_all(folder_);
  explore({"--bug", "record_batch.token", "--json", "--jobs=1"});
  EXPECT_TRUE(err_.str().contains("given more than once"));
  EXPECT_EQ(call({"explore", "--jobs", "1", "--out", folder_.string(), "--bug",
                  "record_batch.token", "--json"}),
            Exit::failed);
  const auto one = nlohmann::json::parse(out_.str());
  EXPECT_EQ(one["schedules"], two["schedules"]);
  EXPECT_EQ(one["cells"], two["cells"]);
  EXPECT_EQ(one["failed"]["again"], two["failed"]["again"]);
}

TEST_F(SimulationCommands, APlantedBugThatIsNotFoundIsInconclusive) {
  EXPECT_EQ(explore({"--bug", "record_batch.token", "--schedules", "1"}), Exit::inconclusive);
  EXPECT_TRUE(out_.str().ends_with("the planted bug was not found\n")) << out_.str();
}

TEST_F(SimulationCommands, ExhaustSaysWhetherItSawAll) {
  EXPECT_EQ(call({"exhaust", "--bound", "2x2x2x2", "--budget", "1ms"}), Exit::inconclusive);
  EXPECT_TRUE(
      out_.str().starts_with("exhaust 2x2x2x2: 2 workers x 2 batches x 2 members x 2 "
                             "lanes\nat most 1 kill and 1 other fault of: "))
      << out_.str();
  EXPECT_TRUE(out_.str().contains(", not complete: the budget is spent, ")) << out_.str();
}

TEST_F(SimulationCommands, ExhaustFindsAPlantedBug) {
  EXPECT_EQ(call({"exhaust", "--bound", "2x2x2x2", "--bug", "claim_batch.lease_expired", "--out",
                  folder_.string()}),
            Exit::failed);
  EXPECT_TRUE(out_.str().contains("\n" + named(sim::Oracle::S3) + "\n")) << out_.str();
  EXPECT_EQ(call({"replay", trace()}), Exit::failed);
}

TEST_F(SimulationCommands, ShrinkSaysFromHowManyToHowMany) {
  explore({"--bug", "record_batch.token"});
  const std::string file = trace();
  EXPECT_EQ(call({"shrink", file}), Exit::holds);
  EXPECT_TRUE(out_.str().starts_with("S4: ")) << out_.str();
  EXPECT_TRUE(out_.str().ends_with("written: " + file + ".shrunk\n")) << out_.str();
  EXPECT_EQ(call({"replay", file + ".shrunk"}), Exit::failed);
}

TEST_F(SimulationCommands, ADamagedTraceIsRefusedWithItsLine) {
  explore({"--bug", "record_batch.token"});
  const std::string file = trace();
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::string damaged = text.str();
  char& digit = damaged[damaged.find("state=") + 6];
  digit = digit == '0' ? '1' : '0';
  std::ofstream(file) << damaged;
  EXPECT_EQ(call({"replay", file}), Exit::refused);
  EXPECT_EQ(out_.str(), "");
  const auto lines = std::ranges::count(damaged, '\n');
  EXPECT_TRUE(err_.str().starts_with(file + ":" + std::to_string(lines) + ": the line is damaged"))
      << err_.str();
  EXPECT_EQ(call({"replay", file, "--resign", "--json"}), Exit::failed);
  EXPECT_EQ(call({"replay", file}), Exit::failed);
}

// The same trace after the code has changed: what it asks for is never offered.
TEST_F(SimulationCommands, AStaleTraceNamesWhatCouldNotBePlaced) {
  const sim::WorldSettings settings = sim::drawn_settings(3);
  sim::Trace trace = compact(trace_of(settings, sim::replay(settings, {})));
  trace.steps.push_back({5,
                         {{0, sim::Command::record_batch, 99, sim::Choice::lost}, true},
                         sim::Point{0, sim::Command::plan, 0, 0}});
  EXPECT_EQ(call({"replay", to_word(trace)}), Exit::inconclusive);
  EXPECT_TRUE(
      out_.str().contains("\nfit: stale, the code has changed too much; never offered:\n"
                          "  w1 record_batch b99 lost after w1 plan - #1\n"))
      << out_.str();
}

TEST_F(SimulationCommands, WhatHappensNowCanBeWrittenAsATrace) {
  const sim::WorldSettings settings = sim::drawn_settings(3);
  const sim::Trace trace = trace_of(settings, sim::replay(settings, {}));
  const std::string file = (folder_ / "now.trace").string();
  EXPECT_EQ(call({"replay", to_word(trace), "-o", file}), Exit::holds);
  EXPECT_EQ(read_trace(file)->steps, trace.steps);
}

TEST_F(SimulationCommands, ATraceThatDoesNotFailIsNotShrunk) {
  const sim::WorldSettings settings = sim::drawn_settings(3);
  const std::string word = to_word(trace_of(settings, sim::replay(settings, {})));
  EXPECT_EQ(call({"replay", word}), Exit::holds);
  EXPECT_EQ(call({"shrink", word, "-o", (folder_ / "x").string()}), Exit::refused);
  EXPECT_TRUE(err_.str().ends_with(": it doesn't fail; shrink takes a trace that does\n"));
}

TEST_F(SimulationCommands, DoctorPrintsItsHashes) {
  EXPECT_EQ(call({"doctor", "--schedules", "3", "--print", "seeds"}), Exit::holds);
  const std::string three = out_.str();
  EXPECT_EQ(std::ranges::count(three, '\n'), 3);
  EXPECT_EQ(call({"doctor", "--schedules", "1", "--seed", "2", "--print", "seeds"}), Exit::holds);
  EXPECT_TRUE(three.contains("\n" + out_.str())) << three;
  EXPECT_EQ(call({"doctor", "--schedules", "1", "--print", "steps"}), Exit::holds);
  EXPECT_TRUE(out_.str().contains(" w1 plan - done\n") || out_.str().contains(" plan - "));
}

}  // namespace
}  // namespace harness::cli
