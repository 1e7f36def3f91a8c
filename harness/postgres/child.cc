#include "harness/postgres/child.h"

#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fmt/format.h"

namespace harness::postgres {
namespace {

struct Attributes {
  posix_spawnattr_t attr;
  posix_spawn_file_actions_t files;
  Attributes() {
    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_init(&files);
  }
  ~Attributes() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

const char* signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? name : "KILL";
}

// setpriv does between fork and exec what posix_spawn can't: change the user and then ask for the
// death signal (a change of user clears it). A fork of our own would have to be safe in a program
// with threads.
std::vector<std::string> with_privileges(const std::vector<std::string>& command,
                                         const ChildOptions& options) {
  std::vector<std::string> all{"setpriv",
                               fmt::format("--pdeathsig={}", signal_name(options.death_signal))};
  if (options.account) {
    all.push_back(fmt::format("--reuid={}", options.account->uid));
    all.push_back(fmt::format("--regid={}", options.account->gid));
    all.push_back("--clear-groups");
  }
  all.push_back("--");
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

}  // namespace

std::expected<std::optional<Account>, std::string> server_account() {
  if (geteuid() != 0) return std::optional<Account>{};
  for (const char* name : {"nobody", "postgres"}) {
    if (const passwd* found = getpwnam(name)) return Account{found->pw_uid, found->pw_gid};
  }
  return std::unexpected(
      std::string("PostgreSQL can't run as root, and there is no user nobody or postgres to run it "
                  "as: create one"));
}

std::expected<pid_t, std::string> spawn(const std::vector<std::string>& command,
                                        const ChildOptions& options) {
  Attributes attributes;
  sigset_t none;
  sigset_t every;
  sigemptyset(&none);
  sigfillset(&every);
  posix_spawnattr_setsigmask(&attributes.attr, &none);
  posix_spawnattr_setsigdefault(&attributes.attr, &every);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (!options.log.empty()) {
    flags |= POSIX_SPAWN_SETSID;  // a Ctrl-C at the terminal is the owner's to deal with
    posix_spawn_file_actions_addopen(&attributes.files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&attributes.files, 1, options.log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&attributes.files, 1, 2);
  }
  posix_spawnattr_setflags(&attributes.attr, static_cast<short>(flags));

  std::vector<std::string> words = with_privileges(command, options);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, argv[0], &attributes.files, &attributes.attr, argv.data(), environ);
  if (error != 0)
    return std::unexpected(
        fmt::format("could not start {}: {}", command.front(), std::strerror(error)));
  return pid;
}

std::expected<int, std::string> run(const std::vector<std::string>& command,
                                    const ChildOptions& options) {
  const auto pid = spawn(command, options);
  if (!pid) return std::unexpected(pid.error());
  int status = 0;
  while (waitpid(*pid, &status, 0) < 0) {
    if (errno != EINTR)
      return std::unexpected(
          fmt::format("lost track of {}: {}", command.front(), std::strerror(errno)));
  }
  return exit_code_of(status);
}

int exit_code_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace harness::postgres
