#include "harness/postgres/cluster.h"

#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <vector>

#include "fmt/format.h"

namespace harness::postgres {
namespace fs = std::filesystem;
namespace {

// Changes with the binaries, so that an update makes a template of its own.
std::string template_name(const Binaries& binaries) {
  const fs::path program = binaries.folder / "postgres";
  struct stat about{};
  stat(program.c_str(), &about);
  const std::string identity =
      fmt::format("{} {} {}", program.string(), about.st_size, about.st_mtim.tv_sec);
  return fmt::format("cluster-{:016x}", std::hash<std::string>{}(identity));
}

std::expected<void, std::string> run_or_say(const std::vector<std::string>& command,
                                            const RunFolder& folder,
                                            const std::optional<Account>& account) {
  const auto code = run(command, {account, SIGKILL, folder.log()});
  if (!code) return std::unexpected(code.error());
  if (*code == 0) return {};
  return std::unexpected(
      fmt::format("could not make PostgreSQL's data folder ({} ended with {}: {}): mend that, or "
                  "set TMPDIR to a folder with room",
                  fs::path(command.front()).filename().string(), *code, last_words(folder.log())));
}

// A copy in the cache is only a gain of time: where it can't be kept, each run makes its own
// cluster.
void keep_as_template(const RunFolder& folder, const fs::path& cache, const std::string& name) {
  std::error_code error;
  fs::create_directories(cache, error);
  const fs::path part = cache / fmt::format("{}.{}", name, folder.path().filename().string());
  if (!error) fs::copy(folder.cluster(), part, fs::copy_options::recursive, error);
  // Nothing in it is secret, and root's template is read by the server's user.
  for (const auto& entry : fs::recursive_directory_iterator(part, error)) {
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0755) : fs::perms(0644), error);
  }
  if (!error) fs::permissions(part, fs::perms(0755), error);
  if (!error) fs::rename(part, cache / name, error);
  if (error) fs::remove_all(part, error);
}

}  // namespace

std::expected<void, std::string> make_cluster(const Binaries& binaries, const RunFolder& folder,
                                              const std::optional<Account>& account) {
  const std::string name = template_name(binaries);
  const std::string cluster = folder.cluster().string();
  for (const fs::path& cache : cache_folders()) {
    if (!fs::exists(cache / name / "PG_VERSION")) continue;
    if (auto copied = run_or_say({"cp", "-r", (cache / name).string(), cluster}, folder, account);
        !copied)
      return copied;
    return run_or_say({"chmod", "700", cluster}, folder, account);
  }
  auto made = run_or_say({(binaries.folder / "initdb").string(), "-D", cluster, "-U", "postgres",
                          "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"},
                         folder, account);
  if (made) {
    if (const fs::path cache = writable_cache_folder(); !cache.empty())
      keep_as_template(folder, cache, name);
  }
  return made;
}

std::string last_words(const fs::path& log) {
  std::ifstream lines(log);
  std::string last;
  std::string error;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.find("FATAL:") != std::string::npos || line.find("PANIC:") != std::string::npos ||
        line.find("error:") != std::string::npos)
      error = line;
    last = line;
  }
  if (!error.empty()) return error;
  return last.empty() ? "it left no message" : last;
}

std::string own_trouble(const fs::path& log) {
  std::ifstream lines(log);
  std::string trouble;
  for (std::string line; std::getline(lines, line);) {
    for (const char* sign : {"PANIC:", "was terminated by signal", "No space left on device"})
      if (line.find(sign) != std::string::npos) trouble = line;
  }
  return trouble;
}

}  // namespace harness::postgres
