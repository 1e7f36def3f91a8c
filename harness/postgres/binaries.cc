#include "harness/postgres/binaries.h"

#include <unistd.h>

#include <cstdlib>

#include "fmt/format.h"

namespace harness::postgres {
namespace fs = std::filesystem;
namespace {

const fs::path installed_folder = "/usr/lib/postgresql/17/bin";
const fs::path machine_cache = "/var/cache/sendproof";
// The version pinned in package.json; CMake reads it from there.
const char* const embedded_folder = "postgres-" SENDPROOF_EMBEDDED_POSTGRES;

bool complete(const fs::path& folder) {
  return access((folder / "postgres").c_str(), X_OK) == 0 &&
         access((folder / "initdb").c_str(), X_OK) == 0;
}

fs::path user_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/')
    return fs::path(xdg) / "sendproof";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache/sendproof";
  return {};
}

}  // namespace

std::vector<fs::path> cache_folders() {
  std::vector<fs::path> folders{machine_cache};
  if (fs::path user = user_cache(); !user.empty()) folders.push_back(std::move(user));
  return folders;
}

// Root keeps to the machine's folder: the server runs as another user, who can't read below root's
// home.
fs::path writable_cache_folder() {
  return geteuid() == 0 ? machine_cache : user_cache();
}

std::expected<Binaries, std::string> find_binaries(const fs::path& given) {
  if (!given.empty()) {
    if (complete(given)) return Binaries{given, fmt::format("installed {}", given.string())};
    return std::unexpected(fmt::format(
        "no postgres and initdb programs in {} (SENDPROOF_PG_BIN): name the folder that holds both",
        given.string()));
  }
  if (complete(installed_folder))
    return Binaries{installed_folder, fmt::format("installed {}", installed_folder.string())};
  for (const fs::path& cache : cache_folders()) {
    if (const fs::path folder = cache / embedded_folder / "bin"; complete(folder))
      return Binaries{folder, "embedded"};
  }
  return std::unexpected(
      std::string("no PostgreSQL 17 on this machine: run ./dev setup, install postgresql-17, or "
                  "name a server by its DSN"));
}

bool has_stat_statements(const Binaries& binaries) {
  const fs::path root = binaries.folder.parent_path();
  return fs::exists(root / "lib/pg_stat_statements.so") ||
         fs::exists(root / "lib/postgresql/pg_stat_statements.so");
}

}  // namespace harness::postgres
