#include "harness/processes/run_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace harness {
namespace {

// Returns the lock file that a process carries; "" when it has none or is somebody else's.
std::string lock_of(const std::filesystem::path& process) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string environment{std::istreambuf_iterator<char>(file), {}};
  const std::string wanted = std::string(run_lock_variable) + "=";
  for (std::size_t begin = 0; begin < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', begin), environment.size());
    if (environment.compare(begin, wanted.size(), wanted) == 0)
      return environment.substr(begin + wanted.size(), end - begin - wanted.size());
    begin = end + 1;
  }
  return {};
}

// A file that is gone says nothing: it may lie in a container that we don't see into.
bool is_abandoned(const std::string& lock) {
  const int descriptor = ::open(lock.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool abandoned = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return abandoned;
}

}  // namespace

RunLock::RunLock(std::filesystem::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

RunLock::RunLock(RunLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  ::close(descriptor_);
}

std::expected<RunLock, std::string> RunLock::take(const std::filesystem::path& folder) {
  end_orphans();
  const auto file = std::filesystem::absolute(folder) / "running.lock";
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return std::unexpected(file.string() + ": " + std::strerror(errno));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    return std::unexpected(folder.string() + ": another run uses this folder");
  }
  return RunLock(file, descriptor);
}

int end_orphans() {
  int ended = 0;
  std::set<std::string> abandoned;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size() || pid == ::getpid()) continue;
    const std::string lock = lock_of(entry.path());
    if (lock.empty() || !is_abandoned(lock)) continue;
    abandoned.insert(lock);
    if (::kill(pid, SIGKILL) == 0) ++ended;
  }
  std::error_code ignored;
  for (const std::string& lock : abandoned) std::filesystem::remove(lock, ignored);
  return ended;
}

}  // namespace harness
