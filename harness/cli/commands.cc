#include "harness/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/progress.h"
#include "harness/cli/simulation_commands.h"
#include "harness/simulation/scenario_run.h"
#include "reports/expectations.h"
#include "reports/json.h"
#include "reports/table.h"
#include "reports/text_layout.h"
#include "reports/write_run.h"
#include "scenarios/catalog.h"

namespace harness::cli {
namespace {

Exit refuse(const Terminal& terminal, std::string_view message) {
  terminal.err << message << std::endl;
  return Exit::refused;
}

Exit exit_of(reports::Verdict verdict) {
  switch (verdict) {
    case reports::Verdict::passed:
      return Exit::holds;
    case reports::Verdict::inconclusive:
      return Exit::inconclusive;
    case reports::Verdict::failed:
      return Exit::failed;
  }
  return Exit::refused;
}

Exit execute(const Print& print, const Terminal& terminal) {
  terminal.out << print.text << std::flush;
  return Exit::holds;
}

// A scenario that can't be read doesn't hide the others, but the list isn't whole without it.
Exit execute(const ListArguments& arguments, const Terminal& terminal) {
  const auto names = scenarios::scenario_names(scenarios::catalog_folder());
  if (!names) return refuse(terminal, names.error().message());
  Exit exit = Exit::holds;
  auto document = nlohmann::ordered_json::array();
  std::size_t name_width = 0;
  for (const std::string& name : *names) name_width = std::max(name_width, name.size());
  for (const std::string& name : *names) {
    const auto scenario = scenarios::find_scenario(name);
    if (!scenario) {
      exit = refuse(terminal, scenario.error().message());
      continue;
    }
    document.push_back({{"scenario", name}, {"title", scenario->title}, {"file", scenario->file}});
    if (!arguments.json)
      terminal.out << reports::wrapped(
          reports::padded_right(name, name_width) + "  " + scenario->title, 100);
  }
  if (arguments.json) terminal.out << document.dump(2) << '\n';
  terminal.out << std::flush;
  return exit;
}

// folder: empty when nothing could be written.
void show(const reports::RunResult& run, const RunArguments& arguments,
          const std::filesystem::path& folder, const Terminal& terminal) {
  if (arguments.json) {
    terminal.out << reports::to_json(run) << std::flush;
    return;
  }
  terminal.out << reports::to_table(run, {.colour = terminal.out_is_terminal});
  if (!folder.empty()) terminal.out << "written: " << folder.string() << '\n';
  if (run.verdict != reports::Verdict::passed)
    terminal.out << "again: " << again(terminal.program, arguments, run.seed) << '\n';
  terminal.out << std::flush;
}

Exit execute(const RunArguments& arguments, const Terminal& terminal) {
  const auto scenario = scenarios::find_scenario(arguments.scenario, arguments.overrides);
  if (!scenario) return refuse(terminal, scenario.error().message());
  const auto folder = reports::make_run_folder(arguments.out, scenario->name);
  if (!folder) return refuse(terminal, folder.error().message);
  const reports::NoEmptyFolder says_nothing(*folder);

  RunOptions options = arguments.options;
  if (options.tier.empty()) options.tier = scenario->only_in_the_simulator() ? "sim" : "process";
  options.out_folder = *folder;
  auto run = [&] {
    ConsoleProgress progress(terminal.err, terminal.err_is_terminal);
    if (options.tier == "sim") return run_in_simulator(*scenario, options, progress, stop_asked);
    return run_scenario(*scenario, options, progress);
  }();
  if (!run) return refuse(terminal, run.error().message);
  run->run = folder->filename().string();
  reports::judge(*run, *scenario);
  const auto written = reports::write_run(*run, *folder);
  show(*run, arguments, written ? *folder : std::filesystem::path(), terminal);
  if (!written) return not_written(exit_of(run->verdict), written.error().message, terminal);
  return exit_of(run->verdict);
}

Exit execute(const AuditArguments& arguments, const Terminal& terminal) {
  const auto found = audit(arguments.options);
  if (!found) return refuse(terminal, found.error().message);
  terminal.out << (arguments.json ? to_json(*found) : to_table(*found)) << std::flush;
  return exit_of(verdict_of(*found));
}

}  // namespace

Exit not_written(Exit exit, std::string_view message, const Terminal& terminal) {
  const Exit refused = refuse(terminal, message);
  return exit == Exit::failed ? exit : refused;
}

Exit run_command_line(const std::vector<std::string>& words, const Terminal& terminal) {
  const auto arguments = parse_arguments(words);
  if (!arguments) return refuse(terminal, arguments.error().message);
  const Exit exit =
      std::visit([&](const auto& chosen) { return execute(chosen, terminal); }, *arguments);
  if (!terminal.out.good())
    return refuse(terminal, "stdout can't be written; is its disk full, or its reader gone?");
  return exit;
}

}  // namespace harness::cli
