#include "harness/processes/run_lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <optional>

#include "harness/processes/process.h"

namespace harness {
namespace {

class RunLockTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Process> sleeper(const std::filesystem::path& lock) {
    auto process = Process::start(
        {.argv = {"sleep", "60"}, .environment = {{run_lock_variable, lock.string()}}});
    EXPECT_TRUE(process.has_value());
    return std::move(*process);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("run_lock_test.{}", ::getpid());
};

TEST_F(RunLockTest, ProcessesOfALiveRunAreLeftAlone) {
  const auto lock = RunLock::take(folder_);
  ASSERT_TRUE(lock.has_value());
  const auto process = sleeper(lock->file());
  end_orphans();
  EXPECT_FALSE(process->wait(std::chrono::milliseconds(100)).has_value());
}

TEST_F(RunLockTest, ProcessesOfADeadRunAreEnded) {
  const auto file = folder_ / "running.lock";
  {
    std::ofstream leave_behind(file);
  }
  const auto process = sleeper(file);
  EXPECT_GE(end_orphans(), 1);
  const auto end = process->wait(std::chrono::seconds(10));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_code, 137);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(RunLockTest, AFolderHasOneRunAtATime) {
  std::optional first = RunLock::take(folder_);
  ASSERT_TRUE(first->has_value());
  EXPECT_FALSE(RunLock::take(folder_).has_value());
  first.reset();
  EXPECT_TRUE(RunLock::take(folder_).has_value());
}

}  // namespace
}  // namespace harness
