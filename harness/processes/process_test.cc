#include "harness/processes/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

#include "harness/processes/command_line.h"

namespace harness {
namespace {

using std::chrono_literals::operator""s;
constexpr std::int64_t mib = 1024 * 1024;

// This test program itself, in the role that main below knows.
std::vector<std::string> self(std::string role, std::string value) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), std::move(role),
          std::move(value)};
}

std::optional<Ended> run(std::vector<std::string> argv) {
  auto process = Process::start({.argv = std::move(argv)});
  EXPECT_TRUE(process.has_value());
  return process ? (*process)->wait(20s) : std::nullopt;
}

TEST(Process, TellsTheExitCode) {
  EXPECT_EQ(run({"sh", "-c", "exit 7"})->exit_code, 7);
  EXPECT_EQ(run({"true"})->exit_code, 0);
}

TEST(Process, ASignalIs128AndItsNumber) {
  EXPECT_EQ(run({"sh", "-c", "kill -SEGV $$"})->exit_code, 128 + SIGSEGV);
  auto sleeper = Process::start({.argv = {"sleep", "60"}});
  ASSERT_TRUE(sleeper.has_value());
  EXPECT_TRUE((*sleeper)->signal(SIGKILL));
  EXPECT_EQ((*sleeper)->wait(20s)->exit_code, 137);
  EXPECT_FALSE((*sleeper)->signal(SIGKILL)) << "an ended program must not be signalled";
}

TEST(Process, HandsOverEveryLineBeforeTheEnd) {
  std::vector<std::string> lines;
  std::mutex mutex;
  auto process = Process::start({.argv = {"sh", "-c", "echo one; echo \"$GREETING\"; printf last"},
                                 .environment = {{"GREETING", "hello there"}},
                                 .on_line =
                                     [&](std::string_view line) {
                                       const std::lock_guard lock(mutex);
                                       lines.emplace_back(line);
                                     },
                                 .on_end =
                                     [&](const Ended&) {
                                       const std::lock_guard lock(mutex);
                                       lines.emplace_back("END");
                                     }});
  ASSERT_TRUE(process.has_value());
  ASSERT_TRUE((*process)->wait(20s).has_value());
  process->reset();
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "hello there", "last", "END"}));
}

TEST(Process, KeepsTheLastWordsOfStderr) {
  const auto file =
      std::filesystem::temp_directory_path() / ("words." + std::to_string(::getpid()));
  auto process =
      Process::start({.argv = {"sh", "-c", "echo no such table >&2"}, .stderr_file = file});
  ASSERT_TRUE(process.has_value());
  ASSERT_TRUE((*process)->wait(20s).has_value());
  EXPECT_EQ((*process)->last_words(), "no such table");
  std::filesystem::remove(file);
}

TEST(Process, ProgramsThatAreMissingAreNamed) {
  EXPECT_EQ(find_program("no-such-program").error(),
            "no program named no-such-program in PATH: install it or give its path");
  EXPECT_EQ(find_program("./nope").error(),
            "no program at ./nope: give the path of an executable file");
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_EQ(run({"/no/such/program"})->exit_code, 127);
}

TEST(Process, PeakRssIsTheProgramsAndNotTheHarnesss) {
  std::vector<char> ballast(300 * mib,
                            1);  // what a plain fork and wait4 would report for /bin/true
  EXPECT_LT(run({"true"})->peak_rss_bytes, 8 * mib);
  EXPECT_LT(*peak_rss_floor(), 2 * mib);
  EXPECT_EQ(ballast[17], 1);
}

TEST(Process, PeakRssCountsWhatWasTouchedAndGivenBack) {
  const std::int64_t nothing = run(self("--touch", "0"))->peak_rss_bytes;
  const std::int64_t touched = run(self("--touch", "64"))->peak_rss_bytes - nothing;
#if defined(__SANITIZE_ADDRESS__)
  const std::int64_t shadow = 64 * mib / 8;  // the sanitizer's own byte for every eight
#else
  const std::int64_t shadow = 0;
#endif
  EXPECT_GE(touched, 63 * mib);
  EXPECT_LE(touched, 66 * mib + shadow);
}

// False for a zombie that nobody reaps, too (a container whose first process doesn't).
bool alive(int pid) {
  char state = 'X';
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return false;
  const int got = std::fscanf(file, "%*d (%*[^)]) %c", &state);
  std::fclose(file);
  return got == 1 && state != 'Z' && state != 'X';
}

bool dies_soon(int pid) {
  for (int i = 0; i < 500 && alive(pid); ++i) ::usleep(10'000);
  return !alive(pid);
}

// The number that a program prints first.
class PrintedPid {
 public:
  void operator()(std::string_view line) {
    const std::lock_guard lock(mutex_);
    pid_ = std::atoi(std::string(line).c_str());
  }
  int wait() {
    for (int i = 0; i < 1000; ++i, ::usleep(10'000)) {
      const std::lock_guard lock(mutex_);
      if (pid_ != 0) return pid_;
    }
    return 0;
  }

 private:
  std::mutex mutex_;
  int pid_ = 0;
};

TEST(Process, WhatItStartedEndsWithIt) {
  PrintedPid sleeper;
  auto process = Process::start({.argv = {"sh", "-c", "sleep 60 & echo $!; exit 3"},
                                 .on_line = [&](std::string_view line) { sleeper(line); }});
  ASSERT_TRUE(process.has_value());
  EXPECT_EQ((*process)->wait(20s)->exit_code, 3);
  ASSERT_GT(sleeper.wait(), 0);
  EXPECT_TRUE(dies_soon(sleeper.wait()));
}

TEST(Process, EverythingDiesWithTheHarness) {
  // A second harness (this program as --parent) starts a sleeper, says its pid, and is killed.
  PrintedPid sleeper;
  auto parent = Process::start(
      {.argv = self("--parent", ""), .on_line = [&](std::string_view line) { sleeper(line); }});
  ASSERT_TRUE(parent.has_value());
  ASSERT_GT(sleeper.wait(), 0);
  EXPECT_TRUE(alive(sleeper.wait()));
  (*parent)->signal(SIGKILL);
  EXPECT_TRUE(dies_soon(sleeper.wait()));
}

TEST(CommandLine, SplitsAsAShellDoes) {
  EXPECT_EQ(*split_command("python3 mine.py  --fast"),
            (std::vector<std::string>{"python3", "mine.py", "--fast"}));
  EXPECT_EQ(*split_command(R"(a 'b "c"' "d \"e\" \n" f\ g '')"),
            (std::vector<std::string>{"a", "b \"c\"", "d \"e\" \\n", "f g", ""}));
  EXPECT_FALSE(split_command("a 'b").has_value());
  EXPECT_FALSE(split_command("a\\").has_value());
  EXPECT_FALSE(split_command("  ").has_value());
}

}  // namespace
}  // namespace harness

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  if (role == "--touch") {
    const std::size_t size = static_cast<std::size_t>(std::atoi(argv[2])) << 20;
    char* const memory = static_cast<char*>(std::malloc(size + 1));
    std::memset(memory, 1, size + 1);
    const int code = memory[size] == 1 ? 0 : 1;
    std::free(memory);
    return code;
  }
  if (role == "--parent") {
    auto sleeper = harness::Process::start({.argv = {"sleep", "60"}});
    if (!sleeper) return 1;
    std::printf("%d\n", (*sleeper)->pid());
    std::fflush(stdout);
    ::pause();
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
