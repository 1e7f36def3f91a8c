// `harness explore` and `harness exhaust`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "harness/cli/bug_list.h"
#include "harness/cli/failure.h"
#include "harness/cli/progress.h"
#include "harness/cli/simulation_commands.h"
#include "harness/run.h"
#include "harness/simulation/cells.h"
#include "harness/simulation/explore.h"
#include "reports/text_layout.h"
#include "sim/bugs/planted_bug.h"
#include "sim/explore/exhaustive.h"

namespace harness::cli {
namespace {

using nlohmann::ordered_json;
using Steady = std::chrono::steady_clock;

std::string seconds_since(Steady::time_point start) {
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - start).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

// Prints a failure, or adds it to the document; writes its trace. What can't be written has been
// told by then.
Exit fail(const Failure& failure, const std::filesystem::path& out, std::string_view command,
          ordered_json* document, const Terminal& terminal) {
  const std::string again = replay_line(terminal, failure.trace);
  if (document == nullptr) {
    terminal.out << '\n' << failure_text(failure) << std::flush;
    const auto file = write_failure(failure, out, command);
    if (file) terminal.out << "written: " << file->string() << '\n';
    terminal.out << "again: " << again << '\n' << std::flush;
    return file ? Exit::failed : not_written(Exit::failed, file.error(), terminal);
  }
  const auto file = write_failure(failure, out, command);
  const sim::Verdict& verdict = *failure.replay.verdict;
  ordered_json failed{{"oracle", text_of(verdict.oracle).name},
                      {"claim", text_of(verdict.oracle).claim},
                      {"what", verdict.what},
                      {"deviations_before", failure.deviations_before},
                      {"deviations", failure.replay.made.size()},
                      {"steps", failure.replay.steps.size()},
                      {"trace", file ? ordered_json(file->string()) : ordered_json(nullptr)},
                      {"again", again}};
  if (failure.cause) failed["cause_step"] = *failure.cause;
  (*document)["failed"] = failed;
  return file ? Exit::failed : not_written(Exit::failed, file.error(), terminal);
}

struct CellCounts {
  std::vector<std::string> missed;
  std::size_t all = 0;
};

CellCounts count_cells(const sim::Coverage& coverage) {
  CellCounts counts;
  for (const Cell& cell : cells_of(coverage)) {
    ++counts.all;
    if (cell.passed == 0) counts.missed.push_back(cell.name);
  }
  return counts;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

void print_explored(const Explored& seen, const CellCounts& cells, const ExploreArguments& asked,
                    const std::string& took, const Terminal& terminal) {
  const std::uint64_t last = asked.seed + static_cast<std::uint64_t>(seen.schedules) - 1;
  const auto row = [&](std::string_view name, const std::string& value) {
    terminal.out << fmt::format("{:<26}{:>16}\n", name, value);
  };
  terminal.out << fmt::format("explore: seeds {} to {}{}\n\n", asked.seed, last,
                              asked.bug.empty() ? "" : ", with " + asked.bug + " planted");
  row("schedules", core::grouped(seen.schedules));
  row("steps", core::grouped(seen.steps));
  row("schedules a core-minute", core::grouped(seen.schedules_a_core_minute()));
  row("repeats", core::grouped(seen.repeats));
  row("stale_writes", core::grouped(seen.stale_writes));
  row("fault cells passed", fmt::format("{} of {}", cells.all - cells.missed.size(), cells.all));
  row("jobs", fmt::format("{}", asked.jobs));
  row("wall_s", took);
  if (seen.verdict) return;
  terminal.out << '\n';
  if (!cells.missed.empty())
    terminal.out << reports::wrapped("never passed: " + list_of(cells.missed), 100);
}

ordered_json json_of(const Explored& seen, const CellCounts& cells, const ExploreArguments& asked) {
  ordered_json passed;
  for (const Cell& cell : cells_of(seen.coverage)) passed[cell.name] = cell.passed;
  return {{"first_seed", asked.seed},
          {"bug", asked.bug},
          {"schedules", seen.schedules},
          {"steps", seen.steps},
          {"schedules_a_core_minute", seen.schedules_a_core_minute()},
          {"repeats", seen.repeats},
          {"stale_writes", seen.stale_writes},
          {"never_passed", cells.missed},
          {"cells", passed}};
}

// Nothing has failed. Was anything tested?
Exit gate(const Explored& seen, const CellCounts& cells, const ExploreArguments& asked,
          const Terminal& terminal) {
  const bool tells = !asked.json;
  if (seen.schedules == 0) {
    if (tells) terminal.out << "explore: inconclusive, no schedule ended in time\n";
    return Exit::inconclusive;
  }
  if (!asked.bug.empty()) {
    if (tells) terminal.out << "explore: inconclusive, the planted bug was not found\n";
    return Exit::inconclusive;
  }
  if (seen.schedules < gate_from_schedules) {
    if (tells)
      terminal.out << fmt::format("explore: passed; the gate on cells begins at {} schedules\n",
                                  core::grouped(gate_from_schedules));
    return Exit::holds;
  }
  if (cells.missed.empty()) {
    if (tells) terminal.out << "explore: passed: every oracle held, and every cell was passed\n";
    return Exit::holds;
  }
  if (tells) terminal.out << "explore: inconclusive, the gate asks for every cell to be passed\n";
  return Exit::inconclusive;
}

struct Bound {
  std::string_view name;
  sim::WorldSettings settings;
};

std::string fault_text(const sim::Budget& budget) {
  std::string out;
  for (std::size_t i = 0; i < sim::fault_count; ++i) {
    const auto fault = static_cast<sim::Fault>(i);
    if (budget[fault] > 0 && fault != sim::Fault::kill)
      out += (out.empty() ? "" : ", ") + std::string(text_of(fault));
  }
  return fmt::format("at most {} kill and {} other fault of: {}", budget[sim::Fault::kill],
                     budget.total, out);
}

Exit exhaust_bound(const Bound& bound, const ExhaustArguments& asked, ordered_json* document,
                   const Terminal& terminal) {
  const auto start = Steady::now();
  const sim::Exhausted all = [&] {
    ConsoleProgress progress(terminal.err, terminal.err_is_terminal);
    return sim::exhaust(bound.settings, [&](const sim::Exhausted& seen) {
      progress.moving(fmt::format("{}: {} states, {} moves", bound.name, core::grouped(seen.states),
                                  core::grouped(seen.moves)));
      return !stop_asked() && Steady::now() - start < asked.budget;
    });
  }();
  if (document != nullptr) {
    *document = {{"bound", bound.name},    {"world", bound.settings.name}, {"bug", asked.bug},
                 {"states", all.states},   {"moves", all.moves},           {"ends", all.ends},
                 {"deepest", all.deepest}, {"complete", all.complete}};
  } else {
    const std::string_view how = all.verdict    ? "stopped at a failure"
                                 : all.complete ? "complete: every oracle holds in all of them"
                                                : "not complete: the budget is spent";
    terminal.out << fmt::format("exhaust {}: {}\n", bound.name, bound.settings.name)
                 << reports::wrapped(fault_text(bound.settings.budget), 100)
                 << reports::wrapped(
                        fmt::format("states {}, moves {}, ends {}, deepest {}, {}, {} s",
                                    core::grouped(all.states), core::grouped(all.moves),
                                    core::grouped(all.ends), core::grouped(all.deepest), how,
                                    seconds_since(start)),
                        100);
  }
  if (!all.verdict) return all.complete ? Exit::holds : Exit::inconclusive;
  return fail(
      understand(bound.settings, deviations_of(bound.settings, all.path), all.verdict->oracle),
      asked.out, "exhaust", document, terminal);
}

}  // namespace

Exit execute(const ExploreArguments& asked, const Terminal& terminal) {
  if (asked.bug == bug_list_word) return show_bugs(asked.json, terminal);
  const auto settings_of = [&](std::uint64_t seed) { return explored_world(seed, asked.bug); };
  const auto start = Steady::now();
  std::optional<Failure> failure;
  const Explored seen = [&] {
    ConsoleProgress progress(terminal.err, terminal.err_is_terminal);
    const Explored explored =
        explore({asked.seed, asked.schedules, asked.budget, asked.jobs}, settings_of,
                [&](const Explored& so_far) {
                  progress.moving(fmt::format("{} schedules, {} steps, nothing broken",
                                              core::grouped(so_far.schedules),
                                              core::grouped(so_far.steps)));
                  return !stop_asked();
                });
    if (explored.verdict) {
      progress.stage(fmt::format("seed {} breaks {}; shrinking", *explored.failed_seed,
                                 text_of(explored.verdict->oracle).name));
      const sim::WorldSettings settings = settings_of(*explored.failed_seed);
      failure = understand(settings, sim::deviations_of(settings, *explored.failed_seed),
                           explored.verdict->oracle);
    }
    return explored;
  }();
  const CellCounts cells = count_cells(seen.coverage);
  ordered_json document;
  if (asked.json) {
    document = json_of(seen, cells, asked);
  } else {
    print_explored(seen, cells, asked, seconds_since(start), terminal);
  }
  const Exit exit =
      failure ? fail(*failure, asked.out, "explore", asked.json ? &document : nullptr, terminal)
              : gate(seen, cells, asked, terminal);
  if (asked.json) terminal.out << document.dump(2) << '\n';
  terminal.out << std::flush;
  return exit;
}

Exit execute(const ExhaustArguments& asked, const Terminal& terminal) {
  if (asked.bug == bug_list_word) return show_bugs(asked.json, terminal);
  Exit worst = Exit::holds;
  auto documents = ordered_json::array();
  for (Bound bound : {Bound{"2x2x2x2", sim::bound_two()}, Bound{"3x3x1x1", sim::bound_three()}}) {
    if (asked.bound != "both" && asked.bound != bound.name) continue;
    plant(bound.settings, asked.bug);
    ordered_json document;
    const Exit exit = exhaust_bound(bound, asked, asked.json ? &document : nullptr, terminal);
    if (asked.json) documents.push_back(document);
    terminal.out << std::flush;
    if (worst != Exit::failed && exit != Exit::holds) worst = exit;
    if (stop_asked()) break;
  }
  if (asked.json) terminal.out << documents.dump(2) << '\n' << std::flush;
  return worst;
}

}  // namespace harness::cli
