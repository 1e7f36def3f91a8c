#include "reports/write_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/sample_run.h"

namespace reports {
namespace {
namespace fs = std::filesystem;

class WriteRun : public testing::Test {
 protected:
  WriteRun() : out_(fs::path(testing::TempDir()) / ("write_run." + std::to_string(getpid()))) {
    fs::remove_all(out_);
  }
  ~WriteRun() override { fs::remove_all(out_); }
  static std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  fs::path out_;
};

TEST_F(WriteRun, TheFolderIsNamedByScenarioAndTime) {
  const fs::path folder = make_run_folder(out_, "kill9-at-6000").value();
  EXPECT_EQ(folder.parent_path(), out_ / "kill9-at-6000");
  EXPECT_TRUE(
      std::regex_match(folder.filename().string(), std::regex(R"(\d{8}T\d{6}Z-[0-9a-f]{4})")))
      << folder;
  EXPECT_TRUE(fs::is_directory(folder));
  EXPECT_NE(make_run_folder(out_, "kill9-at-6000").value(), folder);
}

TEST_F(WriteRun, LeavesTheTwoFilesAndNothingElse) {
  const RunResult run = sample_run();
  const fs::path folder = make_run_folder(out_, run.scenario).value();
  ASSERT_TRUE(write_run(run, folder));
  EXPECT_EQ(read(folder / "summary.json"), to_json(run));
  EXPECT_EQ(read(folder / "junit.xml"), to_junit(run));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

TEST_F(WriteRun, AFolderThatCantBeWrittenIsRefused) {
  fs::create_directories(out_);
  std::ofstream(out_ / "file") << "in the way";
  const auto made = make_run_folder(out_ / "file", "kill9-at-6000");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            (out_ / "file" / "kill9-at-6000").string() +
                ": can't be written: Not a directory; --out can name another folder");
  const auto written = write_run(sample_run(), out_ / "none");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            (out_ / "none" / "junit.xml").string() +
                ": can't be written: No such file or directory; --out can name another folder");
}

TEST_F(WriteRun, AFullDiskLeavesNoHalfFile) {
  const fs::path folder = make_run_folder(out_, "kill9-at-6000").value();
  fs::create_directory(
      folder / "summary.json");  // rename() can't replace a folder: as good as a failed write
  EXPECT_FALSE(write_run(sample_run(), folder));
  EXPECT_FALSE(fs::exists(folder / "summary.json.unfinished"));
}

}  // namespace
}  // namespace reports
