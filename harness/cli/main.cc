// The program `harness`: signals, terminals and the exit code around run_command_line().
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "harness/cli/commands.h"
#include "harness/run.h"

namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void on_signal(int signal) {
  received = signal;
  harness::stop_everything();
}

// The first signal lets the run put everything away, and so does the tenth: what it has started is
// never left behind for the sake of a faster end.
void listen() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

// A stopped run puts away what it started, a stopped search says what it has seen. The others leave
// nothing behind.
bool has_an_end_of_its_own(std::string_view command) {
  return command == "run" || command == "explore" || command == "exhaust" || command == "doctor";
}

bool shows_colour(int file) {
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(file) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace

int main(int count, char** words) try {
  if (count > 1 && has_an_end_of_its_own(words[1])) listen();
  const harness::cli::Terminal terminal{std::cout, std::cerr, shows_colour(STDOUT_FILENO),
                                        isatty(STDERR_FILENO) != 0,
                                        count > 0 ? words[0] : "harness"};
  const auto exit =
      harness::cli::run_command_line({words + std::min(count, 1), words + count}, terminal);
  if (received != 0) return 128 + received;
  return static_cast<int>(exit);
} catch (const std::exception& error) {
  std::fprintf(stderr, "harness: a bug, please report it: %s\n", error.what());
  return 3;
} catch (...) {
  std::fputs("harness: a bug, please report it: an exception of an unknown kind\n", stderr);
  return 3;
}
