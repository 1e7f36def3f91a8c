#include "reports/write_run.h"

#include <fcntl.h>
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

std::unexpected<WriteError> cant(const fs::path& path, std::string_view why) {
  return std::unexpected(WriteError{
      fmt::format("{}: can't be written: {}; --out can name another folder", path.string(), why)});
}

// Returns: 0, or errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

std::expected<void, WriteError> write_file(const fs::path& path, std::string_view text) {
  const fs::path unfinished = path.string() + ".unfinished";
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return cant(path, std::strerror(errno));
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(unfinished.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(unfinished.c_str());
  return cant(path, std::strerror(error));
}

}  // namespace

std::expected<fs::path, WriteError> make_run_folder(const fs::path& out,
                                                    std::string_view scenario) {
  const fs::path parent = out / scenario;
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return cant(parent, error.message());
  while (true) {
    fs::path folder = parent / new_name();
    const bool made = fs::create_directory(folder, error);
    if (error) return cant(folder, error.message());
    if (made && ::access(folder.c_str(), W_OK) == 0) return folder;
    if (made) return cant(folder, std::strerror(errno));
  }
}

std::expected<void, WriteError> write_run(const RunResult& run, const fs::path& folder) {
  if (auto junit = write_file(folder / "junit.xml", to_junit(run)); !junit) return junit;
  return write_file(folder / "summary.json", to_json(run));
}

}  // namespace reports
