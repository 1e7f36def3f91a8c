// What the commands of `harness` do, apart from the process they run in.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace harness::cli {

enum class Exit { holds = 0, failed = 1, inconclusive = 2, refused = 3, not_deterministic = 4 };

// Where a command speaks. Results go to `out`, and nothing else does; progress and errors go to
// `err`.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;     // colour
  bool err_is_terminal = false;     // a progress line that is rewritten
  std::string program = "harness";  // as it was called, for the command that runs it again
};

// Says on `err` that a file couldn't be written. Returns: what failed has failed all the same; any
// other end is Exit::refused.
Exit not_written(Exit exit, std::string_view message, const Terminal& terminal);

// `words`: the command line without the program's name. An error is one line on `err`.
Exit run_command_line(const std::vector<std::string>& words, const Terminal& terminal);

}  // namespace harness::cli
