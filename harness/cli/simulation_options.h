// The options of the commands that simulate, as CLI11 sees them, and what is wrong with what it
// read.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/cli/simulation_arguments.h"

namespace CLI {
class App;
}

namespace harness::cli {

using SimulationArguments = std::variant<ExploreArguments, ExhaustArguments, ReplayArguments,
                                         ShrinkArguments, DoctorArguments>;

// Numbers and durations as they were written: they are checked afterwards, so that the messages are
// ours.
class SimulationOptions {
 public:
  // Adds the sub-commands.
  void define(CLI::App& app);
  const std::vector<CLI::App*>& commands() const { return commands_; }
  // Of the sub-command that was read. Returns: what is wrong, or "".
  std::string problem(const CLI::App& command);
  SimulationArguments arguments(const CLI::App& command) const;

 private:
  void define_explore(CLI::App& app);
  void define_exhaust(CLI::App& app);
  void define_replay(CLI::App& app);
  void define_doctor(CLI::App& app);
  std::string numbers();

  std::vector<CLI::App*> commands_;
  ExploreArguments explore_;
  ExhaustArguments exhaust_;
  ReplayArguments replay_;
  ShrinkArguments shrink_;
  DoctorArguments doctor_;
  std::string budget_, jobs_, seed_, schedules_;
};

}  // namespace harness::cli
