#include <algorithm>

#include "sim/trace/base64url.h"
#include "sim/trace/crc32.h"
#include "sim/trace/settings_text.h"
#include "sim/trace/trace_lines.h"

namespace sim {
namespace {

std::string hex(std::uint64_t value) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4U) out[i] = "0123456789abcdef"[value & 15U];
  return out;
}

}  // namespace

std::string to_text(const Point& point) {
  std::string text = to_text(Move{point.actor, point.command, point.subject});
  text.resize(text.size() - text_of(Choice::done).size());
  return text + "#" + std::to_string(point.occurrence + 1);
}

std::string head_line(const Trace& trace) {
  const std::string settings = to_text(trace.settings);
  return std::string(trace_magic) + " " + std::to_string(trace_schema) +
         " statements=" + trace.statements + (settings.empty() ? "" : " ") + settings;
}

std::string step_line(const TracedStep& traced) {
  std::string line = traced.step.deviates ? "* " : "";
  line += std::to_string(traced.number) + " " + to_text(traced.step.move);
  if (traced.step.deviates)
    line += " after " + (traced.after ? to_text(*traced.after) : std::string("start"));
  return line;
}

std::string ending_line(const Ending& ending) {
  const std::string_view how = ending.broken ? text_of(*ending.broken).name : "passed";
  return "verdict " + std::string(how) + " step=" + std::to_string(ending.step) +
         " state=" + hex(ending.state);
}

std::string to_text(const Trace& trace) {
  std::string text;
  Crc32 crc;
  const auto add = [&](const std::string& line) {
    crc.add(line + "\n");
    text += line + " ~" + crc.text() + "\n";
  };
  add(head_line(trace));
  for (const TracedStep& step : trace.steps) add(step_line(step));
  add(ending_line(trace.ending));
  return text;
}

std::string to_word(const Trace& trace) {
  return to_base64url(to_text(compact(trace)));
}

Ending ending_of(const Replay& replay) {
  Ending ending;
  if (replay.verdict) ending.broken = replay.verdict->oracle;
  ending.step = std::ssize(replay.steps);
  ending.state = replay.fingerprint;
  return ending;
}

Trace trace_of(const WorldSettings& settings, const Replay& replay) {
  Trace trace{settings, std::string(statements_hash()), {}, ending_of(replay)};
  auto made = replay.made.begin();
  for (const Step& step : replay.steps) {
    TracedStep traced{std::ssize(trace.steps) + 1, step, std::nullopt};
    if (step.deviates) traced.after = (made++)->after;
    trace.steps.push_back(traced);
  }
  return trace;
}

Trace compact(Trace trace) {
  std::erase_if(trace.steps, [](const TracedStep& traced) { return !traced.step.deviates; });
  return trace;
}

std::vector<Deviation> Trace::deviations() const {
  std::vector<Deviation> out;
  for (const TracedStep& traced : steps) {
    if (traced.step.deviates) out.push_back({traced.step.move, traced.after});
  }
  return out;
}

std::string_view statements_hash() {
  return SENDPROOF_STATEMENTS_HASH;
}

}  // namespace sim
