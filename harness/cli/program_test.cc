// The program itself, over an engine that runs nothing: what only a process can show.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

namespace {

struct Ended {
  int exit_code = -1;
  std::string out;
};

// Runs "harness " + `words` in a shell; 2>&1 is up to the caller.
Ended harness(const std::string& words) {
  Ended out;
  std::FILE* pipe = popen((SENDPROOF_FAKE_HARNESS " " + words).c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  while (const std::size_t read = std::fread(buffer, 1, sizeof buffer, pipe))
    out.out.append(buffer, read);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) out.exit_code = WEXITSTATUS(status);
  return out;
}

class Program : public testing::Test {
 protected:
  Program()
      : out_(std::filesystem::path(testing::TempDir()) / ("program." + std::to_string(getpid()))) {}
  ~Program() override { std::filesystem::remove_all(out_); }
  std::string run(const std::string& more) const {
    return "run kill9-at-6000 --out " + out_.string() + " " + more;
  }
  std::filesystem::path out_;
};

TEST_F(Program, EveryUsageErrorIsOneLineOnStderrAndExitCode3) {
  for (const std::string words :
       {"", "rum", "run", "run nothing-like-it", "run --seed x kill9-at-6000",
        "run kill9-at-6000 --set a=b", "audit", "--nonsense", "run kill9-at-6000 --out /dev/null",
        "explore --jobs x", "exhaust --bound 1", "replay nothing.trace", "shrink",
        "doctor --print x"}) {
    EXPECT_EQ(harness(words + " 2>/dev/null").out, "") << words;
    const Ended both = harness(words + " 2>&1");
    EXPECT_EQ(both.exit_code, 3) << words;
    EXPECT_EQ(both.out.find('\n'), both.out.size() - 1) << words << ": " << both.out;
  }
}

TEST_F(Program, HelpVersionAndListExitWith0) {
  for (const std::string words :
       {"--help", "run --help", "audit --help", "list --help", "--version", "list", "list --json",
        "explore --help", "exhaust --help", "replay --help", "shrink --help", "doctor --help"}) {
    const Ended ended = harness(words);
    EXPECT_EQ(ended.exit_code, 0) << words;
    EXPECT_FALSE(ended.out.empty()) << words;
  }
}

TEST_F(Program, TheVerdictIsTheExitCode) {
  EXPECT_EQ(harness(run("--sender mine")).exit_code, 0);
  EXPECT_EQ(harness(run("--sender mine --set expect.any.accepted=5")).exit_code, 1);
  EXPECT_EQ(harness(run("--sender mine --set expect.any.db_us_per_member=5")).exit_code, 2);
}

TEST_F(Program, ASignalStopsTheRunAndIsToldByTheExitCode) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      setenv("FAKE_ENGINE", "wait", 1);
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(99);
      execl(SENDPROOF_FAKE_HARNESS, "harness", "run", "kill9-at-6000", "--out", out_.c_str(),
            nullptr);
      _exit(98);
    }
    // The folder of the run appears after the handlers are set.
    for (int i = 0; i < 1000 && !std::filesystem::exists(out_); ++i) usleep(10'000);
    EXPECT_TRUE(std::filesystem::exists(out_));
    kill(child, signal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "killed by " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    std::filesystem::remove_all(out_);
  }
}

TEST_F(Program, ASearchThatIsStoppedSaysWhatItHasSeen) {
  const std::string explore = "exec " SENDPROOF_FAKE_HARNESS " explore --budget 60s";
  std::FILE* pipe =
      popen(("bash -c \"set -m; " + explore +
             " 2>/dev/null & sleep 0.5; kill -INT \\$!; wait \\$!; echo \\$?\" 2>/dev/null")
                .c_str(),
            "r");
  ASSERT_NE(pipe, nullptr);
  std::string out;
  char buffer[4096];
  while (const std::size_t read = std::fread(buffer, 1, sizeof buffer, pipe))
    out.append(buffer, read);
  pclose(pipe);
  EXPECT_TRUE(out.starts_with("explore: seeds 1 to ")) << out;
  EXPECT_TRUE(out.ends_with("\n130\n")) << out;
}

// The children are the program itself, so this needs it.
TEST_F(Program, DoctorFindsTheSameInOtherSurroundings) {
  const Ended ended = harness("doctor --schedules 50 2>/dev/null");
  EXPECT_EQ(ended.exit_code, 0) << ended.out;
  EXPECT_TRUE(ended.out.starts_with("doctor: 50 schedules, ")) << ended.out;
}

TEST_F(Program, ColourAndARewrittenLineAreForTerminalsOnly) {
  const Ended ended = harness(run("--sender mine 2>&1"));
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.find('\x1b'), std::string::npos);
}

}  // namespace
