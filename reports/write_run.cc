#include "reports/write_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <random>

#include "reports/json.h"
#include "reports/junit.h"

namespace reports {
namespace fs = std::filesystem;
namespace {

std::string new_name() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
  return fmt::format("{}-{:04x}", stamp, std::random_device{}() & 0xFFFFU);
}

}  // namespace

std::expected<fs::path, WriteError> make_run_folder(const fs::path& out,
                                                    std::string_view scenario) {
  const fs::path parent = out / scenario;
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return cant_write(parent, error.message());
  while (true) {
    fs::path folder = parent / new_name();
    const bool made = fs::create_directory(folder, error);
    if (error) return cant_write(folder, error.message());
    if (made && ::access(folder.c_str(), W_OK) == 0) return folder;
    if (made) return cant_write(folder, std::strerror(errno));
  }
}

NoEmptyFolder::~NoEmptyFolder() {
  std::error_code not_empty;
  fs::remove(folder_, not_empty);
  if (!not_empty) fs::remove(folder_.parent_path(), not_empty);
}

std::expected<void, WriteError> write_run(const RunResult& run, const fs::path& folder) {
  if (auto junit = write_file(folder / "junit.xml", to_junit(run)); !junit) return junit;
  return write_file(folder / "summary.json", to_json(run));
}

}  // namespace reports
