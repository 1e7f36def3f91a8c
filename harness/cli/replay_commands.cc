// `harness replay` and `harness shrink`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/failure.h"
#include "harness/cli/simulation_commands.h"
#include "harness/simulation/story_text.h"
#include "harness/simulation/trace_file.h"
#include "reports/text_layout.h"
#include "reports/write_file.h"
#include "sim/trace/wording.h"

namespace harness::cli {
namespace {

Exit refuse(const Terminal& terminal, std::string_view message) {
  terminal.err << message << std::endl;
  return Exit::refused;
}

std::string_view text_of(sim::Fit fit) {
  switch (fit) {
    case sim::Fit::exact:
      return "exact";
    case sim::Fit::adapted:
      return "adapted";
    case sim::Fit::stale:
      return "stale";
  }
  return "";
}

std::string text_of(const sim::Ending& ending) {
  return fmt::format("{} at step {}", ending.broken ? sim::text_of(*ending.broken).name : "passed",
                     ending.step);
}

std::string deviation_text(const sim::Deviation& deviation) {
  return fmt::format("{} after {}", to_text(deviation.move),
                     deviation.after ? to_text(*deviation.after) : "start");
}

// The first step that isn't the recorded one. Nothing: none, or the trace holds deviations only.
std::optional<std::size_t> first_other_step(const sim::Trace& trace, const sim::Replay& replay) {
  if (!trace.has_all_steps()) return std::nullopt;
  for (std::size_t i = 0; i < replay.steps.size(); ++i) {
    if (i >= trace.steps.size() || !(trace.steps[i].step.move == replay.steps[i].move)) return i;
  }
  return std::nullopt;
}

std::string comparison(const sim::Trace& trace, const sim::Replay& replay) {
  const sim::Ending now = ending_of(replay);
  std::string out = fmt::format("recorded: {}, world {:016x}\nnow:      {}, world {:016x}{}\n",
                                text_of(trace.ending), trace.ending.state, text_of(now), now.state,
                                now == trace.ending ? ": the same" : "");
  if (trace.statements != sim::statements_hash())
    out += fmt::format("the statements have changed since: {} then, {} now\n", trace.statements,
                       sim::statements_hash());
  if (const auto at = first_other_step(trace, replay))
    out += fmt::format("from step {} on it goes another way than recorded\n", *at + 1);
  return out;
}

std::string fit_text(const sim::Trace& trace, const sim::Replay& replay) {
  std::string out = fmt::format("fit: {}", text_of(replay.fit));
  switch (replay.fit) {
    case sim::Fit::exact:
      return out + fmt::format(", {} deviations at their steps\n", trace.deviations().size());
    case sim::Fit::adapted:
      return out + ", every deviation was made, some later than recorded\n";
    case sim::Fit::stale:
      out += ", the code has changed too much; never offered:\n";
      for (const sim::Deviation& deviation : replay.left)
        out += fmt::format("  {}\n", deviation_text(deviation));
      return out;
  }
  return out;
}

Exit exit_of(const sim::Replay& replay) {
  if (replay.verdict) return Exit::failed;
  return replay.fit == sim::Fit::stale ? Exit::inconclusive : Exit::holds;
}

void print_text(const sim::Trace& trace, const sim::Replay& replay, bool whole,
                const Terminal& terminal) {
  terminal.out << replay_text(trace.settings, replay,
                              {.whole = whole, .cause = cause(trace.settings, replay)});
  terminal.out << fit_text(trace, replay) << comparison(trace, replay);
}

void print_json(const sim::Trace& trace, const sim::Replay& replay, const Terminal& terminal) {
  nlohmann::ordered_json document;
  document["fit"] = text_of(replay.fit);
  auto& left = document["never_offered"] = nlohmann::ordered_json::array();
  for (const sim::Deviation& deviation : replay.left) left.push_back(deviation_text(deviation));
  const auto ending = [](const sim::Ending& of) {
    return nlohmann::ordered_json{{"verdict", of.broken ? sim::text_of(*of.broken).name : "passed"},
                                  {"step", of.step},
                                  {"state", fmt::format("{:016x}", of.state)}};
  };
  document["recorded"] = ending(trace.ending);
  document["now"] = ending(ending_of(replay));
  document["what"] = replay.verdict ? replay.verdict->what : "";
  document["same_statements"] = trace.statements == sim::statements_hash();
  auto& steps = document["steps"] = nlohmann::ordered_json::array();
  for (const sim::StoryLine& line : sim::story_of(trace.settings, replay.steps))
    steps.push_back({{"step", line.number},
                     {"at_us", line.at.count()},
                     {"move", to_text(line.step.move)},
                     {"who", sim::actor_name(line.step.move.actor)},
                     {"does", wording(line.step.move)},
                     {"deviates", line.step.deviates},
                     {"came_of_it", line.came_of_it}});
  terminal.out << document.dump(2) << '\n';
}

}  // namespace

Exit execute(const ReplayArguments& arguments, const Terminal& terminal) {
  if (arguments.resign) {
    const auto anew = resign_trace(arguments.trace);
    if (!anew) return refuse(terminal, anew.error());
  }
  const auto trace = read_trace(arguments.trace);
  if (!trace) return refuse(terminal, trace.error());
  const sim::Replay replay = sim::replay(trace->settings, trace->deviations());
  if (arguments.json) {
    print_json(*trace, replay, terminal);
  } else {
    print_text(*trace, replay, arguments.whole, terminal);
  }
  terminal.out << std::flush;
  if (arguments.to.empty()) return exit_of(replay);
  const auto written =
      reports::write_file(arguments.to, to_text(sim::trace_of(trace->settings, replay)));
  return written ? exit_of(replay)
                 : not_written(exit_of(replay), written.error().message, terminal);
}

Exit execute(const ShrinkArguments& arguments, const Terminal& terminal) {
  const auto trace = read_trace(arguments.file);
  if (!trace) return refuse(terminal, trace.error());
  const auto deviations = trace->deviations();
  const sim::Replay before = sim::replay(trace->settings, deviations);
  if (!before.verdict)
    return refuse(terminal, arguments.file + ": it doesn't fail; shrink takes a trace that does");
  const std::filesystem::path to =
      arguments.to.empty() ? std::filesystem::path(arguments.file + ".shrunk") : arguments.to;
  const Failure failure = understand(trace->settings, deviations, before.verdict->oracle);
  terminal.out << fmt::format(
                      "{}: {} deviations to {}, {} steps to {}, {} members to {}, {} workers to "
                      "{}\n",
                      sim::text_of(before.verdict->oracle).name, deviations.size(),
                      failure.replay.made.size(), before.steps.size(), failure.replay.steps.size(),
                      trace->settings.members, failure.settings.members, trace->settings.workers,
                      failure.settings.workers)
               << std::flush;
  const auto written = reports::write_file(to, to_text(failure.trace));
  if (written) {
    terminal.out << "written: " << to.string() << '\n' << std::flush;
    return Exit::holds;
  }
  terminal.out << "again: " << replay_line(terminal, failure.trace) << '\n' << std::flush;
  return not_written(Exit::holds, written.error().message, terminal);
}

}  // namespace harness::cli
