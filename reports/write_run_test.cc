#include "reports/write_run.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
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
  // Shown as its shape: every digit, and the letters of a hexadecimal number, as 0.
  std::string shape = folder.filename().string();
  for (char& c : shape)
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) c = '0';
  EXPECT_EQ(shape, "00000000T000000Z-0000") << folder;
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

// A limit on the size of files fails a write as a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(WriteRun, AFullDiskLeavesWhatWasThereAndNoHalfFile) {
  RunResult run = sample_run();
  const fs::path folder = make_run_folder(out_, run.scenario).value();
  ASSERT_TRUE(write_run(run, folder));
  const std::string before = read(folder / "junit.xml");
  run.seed = 2;
  const auto written = [&] {
    const FileSizeLimit full(100);
    return write_run(run, folder);
  }();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            (folder / "junit.xml").string() +
                ": can't be written: File too large; --out can name another folder");
  EXPECT_EQ(read(folder / "junit.xml"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

}  // namespace
}  // namespace reports
