#include "harness/cli/commands.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "harness/cli/fake_engine.h"

namespace harness::cli {
namespace {
namespace fs = std::filesystem;

class Commands : public testing::Test {
 protected:
  Commands() : folder_(fs::path(testing::TempDir()) / ("commands." + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "scenarios");
    write("night.toml",
          "title = \"a quiet night\"\n[audience]\nmembers = 7\n[expect.any]\naccepted = 7\n");
    setenv("SENDPROOF_SCENARIOS", (folder_ / "scenarios").c_str(), 1);
  }
  ~Commands() override {
    unsetenv("SENDPROOF_SCENARIOS");
    fake_run() = usual_;
    fs::remove_all(folder_);
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / "scenarios" / name) << text;
  }

  Exit call(const std::vector<std::string>& words) {
    out_.str("");
    err_.str("");
    return run_command_line(words, {out_, err_});
  }
  Exit run(std::vector<std::string> more) {
    std::vector<std::string> words = {"run",      "night", "--out", (folder_ / "out").string(),
                                      "--sender", "mine"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words);
  }
  // The folders of all runs so far.
  std::vector<fs::path> runs() const {
    if (!fs::exists(folder_ / "out/night")) return {};
    return {fs::directory_iterator(folder_ / "out/night"), {}};
  }

  const FakeRun usual_ = fake_run();
  fs::path folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(Commands, ListShowsNamesAndTitles) {
  write("a-longer-name.toml", "title = \"two\"\n");
  EXPECT_EQ(call({"list"}), Exit::holds);
  EXPECT_EQ(out_.str(), "a-longer-name  two\nnight          a quiet night\n");
  EXPECT_EQ(err_.str(), "");
}

TEST_F(Commands, ListAsJsonIsOneDocument) {
  EXPECT_EQ(call({"list", "--json"}), Exit::holds);
  EXPECT_EQ(
      out_.str(),
      "[\n  {\n    \"scenario\": \"night\",\n    \"title\": \"a quiet night\",\n    \"file\": \"" +
          (folder_ / "scenarios/night.toml").string() + "\"\n  }\n]\n");
}

TEST_F(Commands, ListShowsTheOthersWhenOneIsBroken) {
  write("broken.toml", "titel = \"x\"\n");
  EXPECT_EQ(call({"list"}), Exit::refused);
  EXPECT_EQ(out_.str(), "night   a quiet night\n");
  EXPECT_EQ(err_.str(), (folder_ / "scenarios/broken.toml").string() +
                            ":1: unknown key \"titel\"; did you mean \"title\"?\n");
}

TEST_F(Commands, RunPrintsATableAndLeavesItsFiles) {
  EXPECT_EQ(run({}), Exit::holds);
  EXPECT_TRUE(out_.str().contains("night: passed, 4 of 4 expectations hold\n")) << out_.str();
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_TRUE(out_.str().contains("written: " + runs()[0].string() + "\n")) << out_.str();
  EXPECT_FALSE(out_.str().contains("again: "));
  EXPECT_TRUE(fs::exists(runs()[0] / "summary.json"));
  EXPECT_TRUE(fs::exists(runs()[0] / "junit.xml"));
}

TEST_F(Commands, RunAsJsonPrintsWhatItLeaves) {
  EXPECT_EQ(run({"--json"}), Exit::holds);
  std::ostringstream left;
  left << std::ifstream(runs().at(0) / "summary.json").rdbuf();
  EXPECT_EQ(out_.str(), left.str());
  EXPECT_TRUE(out_.str().contains("\"run\": \"" + runs()[0].filename().string() + "\""));
}

TEST_F(Commands, AFailedRunExitsWith1AndSaysHowToRepeatIt) {
  EXPECT_EQ(run({"--set", "expect.any.accepted=8", "--seed", "5"}), Exit::failed);
  EXPECT_TRUE(out_.str().contains("failed: mine: expected accepted = 8, seen 7\n")) << out_.str();
  EXPECT_TRUE(out_.str().contains(
      "again: harness run night --seed 5 --sender mine --set expect.any.accepted=8\n"))
      << out_.str();
}

TEST_F(Commands, ARunThatTestedNothingExitsWith2) {
  fake_run() = [&](const scenarios::Scenario& scenario, const RunOptions& options,
                   Progress& progress) {
    auto out = usual_(scenario, options, progress);
    out->senders[0].checks = {
        {"the event at accept 6000 happens", "it never did", reports::Verdict::inconclusive}};
    return out;
  };
  EXPECT_EQ(run({}), Exit::inconclusive);
  EXPECT_TRUE(out_.str().contains("inconclusive: mine: expected the event at accept 6000 happens"));
}

TEST_F(Commands, AnErrorOfTheEngineIsOneLineExitsWith3AndLeavesNoFolder) {
  fake_run() = [](const scenarios::Scenario&, const RunOptions&, Progress&) {
    return std::unexpected(RunError{"no PostgreSQL at x"});
  };
  EXPECT_EQ(run({"--json"}), Exit::refused);
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(err_.str(), "no PostgreSQL at x\n");
  EXPECT_TRUE(runs().empty());
}

TEST_F(Commands, ARunIsToldEvenIfItsFilesCantBeWritten) {
  fake_run() = [&](const scenarios::Scenario& scenario, const RunOptions& options,
                   Progress& progress) {
    fs::create_directories(options.out_folder / "junit.xml.unfinished");
    return usual_(scenario, options, progress);
  };
  EXPECT_EQ(run({}), Exit::refused);
  EXPECT_TRUE(out_.str().contains("night: passed, 4 of 4 expectations hold\n")) << out_.str();
  EXPECT_FALSE(out_.str().contains("written: ")) << out_.str();
  EXPECT_TRUE(err_.str().contains("junit.xml: can't be written: Is a directory; ")) << err_.str();
  EXPECT_EQ(run({"--set", "expect.any.accepted=8"}), Exit::failed);
}

// Of a run that has left nothing; the folder that --out names is its caller's.
TEST_F(Commands, NoEmptyFolderStays) {
  fake_run() = [](const scenarios::Scenario&, const RunOptions&,
                  Progress&) -> std::expected<reports::RunResult, RunError> {
    throw std::runtime_error("a bug");
  };
  EXPECT_THROW(run({}), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder_ / "out"));
}

TEST_F(Commands, ProgressGoesToErrOnly) {
  fake_run() = [&](const scenarios::Scenario& scenario, const RunOptions& options,
                   Progress& progress) {
    progress.stage("starting");
    return usual_(scenario, options, progress);
  };
  EXPECT_EQ(run({"--json"}), Exit::holds);
  EXPECT_EQ(err_.str(), "   0 s  starting\n");
  EXPECT_TRUE(out_.str().starts_with("{"));
}

TEST_F(Commands, OptionsReachTheEngine) {
  RunOptions seen;
  std::vector<std::int64_t> members;
  fake_run() = [&](const scenarios::Scenario& scenario, const RunOptions& options,
                   Progress& progress) {
    seen = options;
    members = scenario.audience.members;
    return usual_(scenario, options, progress);
  };
  run({"--real-time", "--verbose", "--dsn", "d", "--set", "audience.members=9"});
  EXPECT_TRUE(seen.real_time && seen.verbose && !seen.shift_now);
  EXPECT_EQ(seen.dsn, "d");
  EXPECT_EQ(seen.senders, std::vector<std::string>{"mine"});
  EXPECT_EQ(seen.out_folder.parent_path(), folder_ / "out/night");
  EXPECT_EQ(members, std::vector<std::int64_t>{9});
}

TEST_F(Commands, NothingIsStartedWhenSomethingIsWrong) {
  bool started = false;
  fake_run() = [&](const scenarios::Scenario&, const RunOptions&, Progress&) {
    started = true;
    return std::unexpected(RunError{"started"});
  };
  const std::string file = (folder_ / "scenarios/night.toml").string();
  EXPECT_EQ(call({"run", "nigth"}), Exit::refused);
  EXPECT_EQ(err_.str(), "no scenario is named \"nigth\"; did you mean \"night\"?\n");
  EXPECT_EQ(call({"run", "night", "--set", "sender.lane=5"}), Exit::refused);
  EXPECT_EQ(err_.str(),
            "--set sender.lane=5: unknown key \"lane\" in [sender]; did you mean \"lanes\"?\n");
  EXPECT_EQ(call({"run", "night", "--out", file}), Exit::refused);
  EXPECT_EQ(err_.str(),
            file + "/night: can't be written: Not a directory; --out can name another folder\n");
  EXPECT_EQ(call({"run", "night", "--sead", "5"}), Exit::refused);
  EXPECT_FALSE(started);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Commands, AuditPrintsWhatItFound) {
  EXPECT_EQ(call({"audit", "--dsn", "d", "--campaign", "c", "--ledger", "l"}), Exit::holds);
  EXPECT_EQ(out_.str(), "audit table\n");
  EXPECT_EQ(call({"audit", "--dsn", "d", "--campaign", "c", "--ledger", "l", "--json"}),
            Exit::holds);
  EXPECT_EQ(out_.str(), "{}\n");
  EXPECT_EQ(call({"audit", "--dsn", "d", "--campaign", "nobody", "--ledger", "l"}), Exit::refused);
  EXPECT_EQ(err_.str(), "no such campaign\n");
}

}  // namespace
}  // namespace harness::cli
