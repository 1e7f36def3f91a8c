// with_postgres [--durable] COMMAND...: runs COMMAND with SENDPROOF_PG_DSN naming a PostgreSQL
// server, and ends with its exit code.
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "harness/postgres/child.h"
#include "harness/postgres/server.h"

namespace {

using namespace harness::postgres;

constexpr int usage_error = 3;

int fail(std::string_view what) {
  fmt::print(stderr, "with_postgres: {}\n", what);
  return usage_error;
}

// Returns COMMAND's exit code once it has ended. A signal from a person's terminal reached COMMAND
// already.
int wait_and_forward(pid_t command, const sigset_t& signals) {
  for (;;) {
    siginfo_t signal{};
    if (sigwaitinfo(&signals, &signal) < 0) continue;
    if (signal.si_signo == SIGCHLD) {
      int status = 0;
      if (waitpid(command, &status, WNOHANG) == command) return exit_code_of(status);
    } else if (signal.si_code != SI_KERNEL) {
      kill(command, signal.si_signo);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> command(argv + 1, argv + argc);
  ServerOptions options = options_from_environment();
  if (!command.empty() && command.front() == "--durable") {
    options.durable = true;
    command.erase(command.begin());
  }
  if (command.empty() || command.front().starts_with("--"))
    return fail("usage: with_postgres [--durable] COMMAND...");

  // Before any thread is made, so that every one has them blocked.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);

  auto server = Server::start(options);
  if (!server) return fail(server.error());
  // A Ctrl-C while the server started: COMMAND would never hear of it.
  sigset_t ends = signals;
  sigdelset(&ends, SIGCHLD);
  const timespec at_once{};
  if (const int number = sigtimedwait(&ends, nullptr, &at_once); number > 0) return 128 + number;
  if (!server->warning().empty()) fmt::print(stderr, "with_postgres: {}\n", server->warning());
  setenv("SENDPROOF_PG_DSN", (options.dsn.empty() ? server->dsn() : options.dsn).c_str(), 1);
  const auto child = spawn(command, {.account = {}, .death_signal = SIGTERM, .log = {}});
  if (!child) return fail(child.error());
  return wait_and_forward(*child, signals);
}
