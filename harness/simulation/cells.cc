#include "harness/simulation/cells.h"

#include "sim/trace/cell.h"

namespace harness {
namespace {

using sim::Choice;
using sim::Command;

// A worker can be struck before these.
bool can_be_pending(Command command) {
  return command <= Command::time;
}

}  // namespace

std::vector<Cell> cells_of(const sim::Coverage& coverage) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < sim::command_count; ++i) {
    for (std::size_t j = 0; j < sim::choice_count; ++j) {
      const auto command = static_cast<Command>(i);
      const auto choice = static_cast<Choice>(j);
      if (!sim::can_be(command, choice)) continue;
      cells.push_back({std::string(text_of(command)) + " " + std::string(text_of(choice)),
                       coverage.passed[i][j]});
    }
  }
  for (const std::size_t how : {0U, 1U}) {
    for (std::size_t i = 0; i < sim::command_count; ++i) {
      const auto command = static_cast<Command>(i);
      if (!can_be_pending(command)) continue;
      cells.push_back({(how == 0 ? "kill before " : "freeze before ") +
                           (command == Command::time ? "nothing" : std::string(text_of(command))),
                       coverage.struck[how][i]});
    }
  }
  return cells;
}

}  // namespace harness
