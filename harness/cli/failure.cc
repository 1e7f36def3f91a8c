#include "harness/cli/failure.h"

#include <fmt/format.h>

#include "harness/simulation/story_text.h"
#include "reports/text_layout.h"
#include "reports/write_file.h"
#include "reports/write_run.h"
#include "sim/bugs/planted_bug.h"
#include "sim/trace/simplify.h"

namespace harness::cli {
namespace {

constexpr std::size_t columns = 100;
// Beyond this, looking for the cause holds more worlds in memory than it is worth.
constexpr std::size_t cause_steps_most = 5000;

}  // namespace

std::optional<std::int64_t> cause(const sim::WorldSettings& settings, const sim::Replay& replay) {
  if (!replay.verdict || replay.steps.size() > cause_steps_most) return std::nullopt;
  return sim::cause_of(settings, replay);
}

Failure understand(const sim::WorldSettings& settings,
                   const std::vector<sim::Deviation>& deviations, sim::Oracle oracle) {
  sim::Shrunk shrunk = sim::simplify(settings, deviations, oracle);
  Failure failure;
  failure.settings = shrunk.settings;
  failure.replay = sim::replay(failure.settings, shrunk.deviations);
  failure.trace = sim::trace_of(failure.settings, failure.replay);
  failure.deviations_before = std::ssize(deviations);
  failure.cause = cause(failure.settings, failure.replay);
  return failure;
}

std::string failure_text(const Failure& failure) {
  const sim::Verdict& verdict = *failure.replay.verdict;
  const sim::OracleText& oracle = text_of(verdict.oracle);
  std::string out = reports::wrapped(fmt::format("{}: {}", oracle.name, oracle.claim), columns) +
                    reports::wrapped(fmt::format("broken: {}", verdict.what), columns);
  if (failure.settings.bug != nullptr)
    out += reports::wrapped(
        fmt::format("planted: {}: {}", failure.settings.bug->name, failure.settings.bug->story),
        columns);
  const auto left = std::ssize(failure.replay.made);
  const std::int64_t forced = failure.deviations_before;
  if (left == 0)
    out += "it fails by itself: no choice of the search is needed\n\n";
  else if (left < forced)
    out += fmt::format("the search forced {} choices; {} are needed, marked *\n\n", forced, left);
  else
    out += fmt::format("the search forced {} choices, all are needed, marked *\n\n", forced);
  out += replay_text(failure.settings, failure.replay, {.whole = false, .cause = failure.cause});
  return out;
}

std::expected<std::filesystem::path, std::string> write_failure(const Failure& failure,
                                                                const std::filesystem::path& out,
                                                                std::string_view command) {
  const auto folder = reports::make_run_folder(out, command);
  if (!folder) return std::unexpected(folder.error().message);
  const reports::NoEmptyFolder says_nothing(*folder);
  const std::filesystem::path file = *folder / "trace.txt";
  const auto written = reports::write_file(file, to_text(failure.trace));
  if (!written) return std::unexpected(written.error().message);
  return std::expected<std::filesystem::path, std::string>(file);
}

std::string replay_line(const Terminal& terminal, const sim::Trace& trace) {
  return fmt::format("{} replay {}", terminal.program, to_word(trace));
}

}  // namespace harness::cli
