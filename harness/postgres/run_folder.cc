#include "harness/postgres/run_folder.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace harness::postgres {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t GiB = 1024 * 1024 * 1024;
// 1.2 M members take 0.5 GiB of tables and 1 GiB of WAL.
constexpr std::uint64_t memory_free_min = 4 * GiB;
constexpr std::uint64_t disk_free_min = 1 * GiB;
// A socket's address holds 107 bytes: base + sendproof-UID + run-XXXXXX + .s.PGSQL.5432 must fit.
constexpr std::size_t base_length_max = 60;

struct Base {
  fs::path path;
  std::uint64_t free_bytes;
  bool in_memory;
};

std::vector<Base> bases() {
  std::vector<fs::path> paths{"/dev/shm"};
  if (const char* given = std::getenv("TMPDIR"); given != nullptr && *given == '/') {
    paths.emplace_back(given);
  }
  for (const char* usual : {"/var/tmp", "/tmp"}) {
    if (std::find(paths.begin(), paths.end(), usual) == paths.end()) paths.emplace_back(usual);
  }
  std::vector<Base> found;
  for (const fs::path& path : paths) {
    struct statfs about{};
    if (path.string().size() > base_length_max || access(path.c_str(), W_OK | X_OK) != 0 ||
        statfs(path.c_str(), &about) != 0)
      continue;
    const auto free_bytes =
        static_cast<std::uint64_t>(about.f_bavail) * static_cast<std::uint64_t>(about.f_bsize);
    found.push_back({path, free_bytes, about.f_type == TMPFS_MAGIC});
  }
  return found;
}

fs::path user_folder(const Base& base) {
  return base.path / fmt::format("sendproof-{}", geteuid());
}

// Bases are open to everybody: a folder that another user put there under our name is refused.
bool ours(const fs::path& folder) {
  struct stat about{};
  return lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
         about.st_uid == geteuid() && (about.st_mode & 0022) == 0;
}

class Lock {
 public:
  Lock(const fs::path& file, int operation)
      : fd_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    while (fd_ >= 0 && flock(fd_, operation) != 0) {
      if (errno == EINTR) continue;
      close(fd_);
      fd_ = -1;
    }
  }
  ~Lock() {
    if (fd_ >= 0) close(fd_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::vector<pid_t> processes_in(const fs::path& folder) {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr !=
        name.data() + name.size())
      continue;
    std::error_code unreadable;  // another user's process, or gone
    if (fs::read_symlink(entry.path() / "cwd", unreadable) == folder) found.push_back(pid);
  }
  return found;
}

// The base's lock must be held: between a new folder and its owner's lock there is a moment.
void remove_orphans(const fs::path& folder_of_user) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of_user, ignored)) {
    if (!entry.is_directory() || !entry.path().filename().string().starts_with("run-")) continue;
    const Lock owner(entry.path() / "lock", LOCK_EX | LOCK_NB);
    if (!owner.held()) continue;
    end_server_in(entry.path() / "data");
    fs::remove_all(entry.path(), ignored);
  }
}

std::string no_room(const std::vector<Base>& all) {
  std::string seen;
  for (const Base& base : all) {
    seen += fmt::format("{}{} has {:.1f} GiB free", seen.empty() ? "" : ", ", base.path.string(),
                        static_cast<double>(base.free_bytes) / static_cast<double>(GiB));
  }
  return fmt::format(
      "no room for a PostgreSQL server: {}, 1 GiB is needed: free some, or set TMPDIR to a folder "
      "that has it",
      seen.empty() ? "no folder is writable" : seen);
}

}  // namespace

void end_server_in(const fs::path& cluster) {
  // SIGQUIT, PostgreSQL's immediate shutdown, lets the postmaster take its backends and shared
  // memory along.
  for (int round = 0; round < 300; ++round) {
    const std::vector<pid_t> left = processes_in(cluster);
    if (left.empty()) return;
    for (const pid_t pid : left) {
      if (round % 100 == 0) kill(pid, round < 200 ? SIGQUIT : SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::expected<RunFolder, std::string> RunFolder::create(const std::optional<Account>& account,
                                                        bool on_disk) {
  std::vector<Base> all = bases();
  const Base* chosen = nullptr;
  for (const Base& base : all) {
    const fs::path folder = user_folder(base);
    const bool fits = base.in_memory ? !on_disk && base.free_bytes >= memory_free_min
                                     : base.free_bytes >= disk_free_min;
    if (chosen == nullptr && fits) {
      // Root's folder can be crossed by the server's user, not listed.
      if (mkdir(folder.c_str(), geteuid() == 0 ? 0711 : 0700) == 0 || ours(folder)) chosen = &base;
    }
    if (!ours(folder)) continue;
    const Lock lock(folder / "lock", LOCK_EX);
    if (lock.held()) remove_orphans(folder);
  }
  if (chosen == nullptr) return std::unexpected(no_room(all));

  const fs::path parent = user_folder(*chosen);
  const auto failed = [&](const fs::path& what) {
    return std::unexpected(
        fmt::format("could not make {}: {}", what.string(), std::strerror(errno)));
  };
  const Lock lock(parent / "lock", LOCK_EX);
  if (!lock.held()) return failed(parent / "lock");
  std::string name = (parent / "run-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return failed(name);
  Lock owner(fs::path(name) / "lock", LOCK_EX | LOCK_NB);
  if (!owner.held()) return failed(fs::path(name) / "lock");
  RunFolder folder(name, owner.release());
  if (account && chown(name.c_str(), account->uid, account->gid) != 0) return failed(name);
  return folder;
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

RunFolder::~RunFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;  // a folder that can't be removed is an orphan for the next start
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace harness::postgres
