#include "reports/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace reports {
namespace fs = std::filesystem;
namespace {

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

}  // namespace

std::unexpected<WriteError> cant_write(const fs::path& path, std::string_view why) {
  return std::unexpected(WriteError{
      fmt::format("{}: can't be written: {}; --out can name another folder", path.string(), why)});
}

std::expected<void, WriteError> write_file(const fs::path& path, std::string_view text) {
  const fs::path unfinished = path.string() + ".unfinished";
  const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return cant_write(path, std::strerror(errno));
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(unfinished.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(unfinished.c_str());
  return cant_write(path, std::strerror(error));
}

}  // namespace reports
