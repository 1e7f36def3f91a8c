// Child processes of the server's owner: started outside the terminal's process group, with default
// signals, ended by the kernel if the owner dies, and run as an unprivileged user where the owner
// is root (PostgreSQL refuses to run as root).
#pragma once

#include <sys/types.h>

#include <csignal>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace harness::postgres {

struct Account {
  uid_t uid;
  gid_t gid;
};

// The account that the server runs as: nobody for root (postgres if there is no nobody), nothing to
// change for anybody else.
std::expected<std::optional<Account>, std::string> server_account();

struct ChildOptions {
  std::optional<Account> account;
  int death_signal = SIGKILL;  // sent when the thread that calls spawn() ends
  // Output of the child, appended; empty: the owner's own stdin, stdout and stderr, and the owner's
  // process group.
  std::filesystem::path log;
};

// Returns the process id; the caller waits for it.
std::expected<pid_t, std::string> spawn(const std::vector<std::string>& command,
                                        const ChildOptions& options);

// Spawns and waits. Returns the exit code, 128 + signal if it was killed.
std::expected<int, std::string> run(const std::vector<std::string>& command,
                                    const ChildOptions& options);

int exit_code_of(int wait_status);

}  // namespace harness::postgres
