// A schedule as text: what the world is made of, one line a step, and how it ended.
//
//   sendproof-trace 1 statements=3f2a90bc members=2 workers=1 ... ~5e1c0a77
//   1 w1 plan - done ~0b9d2f10
//   * 8 w1 freeze - past_lease after w1 claim_batch - #2 ~77ab03e1
//   verdict S3 step=41 state=00c1ffee00c1ffee ~90d1a2b3
//
// `*` marks a deviation from the default schedule; `after` is the step that it follows, here the
// second claim_batch of w1 (`after start`: none). The deviations alone say everything, so a trace
// of nothing but them is whole too. `~` is a CRC-32 over all lines so far, without their own `~`
// parts.
//
// Ownership, threads: plain values. Time, files: none.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/trace/refusal.h"

namespace sim {

struct TracedStep {
  std::int64_t number = 0;
  Step step;
  std::optional<Point> after;  // of a deviation
  bool operator==(const TracedStep& other) const {
    return number == other.number && step.move == other.step.move &&
           step.deviates == other.step.deviates && after == other.after;
  }
};

struct Ending {
  std::optional<Oracle> broken;  // nothing: passed
  std::int64_t step = 0;         // the last
  std::uint64_t state = 0;       // the last fingerprint
  bool operator==(const Ending&) const = default;
};

struct Trace {
  WorldSettings settings;
  std::string statements;  // of the sender that it was made with: statements_hash() then
  std::vector<TracedStep> steps;
  Ending ending;

  std::vector<Deviation> deviations() const;
  bool has_all_steps() const {  // their numbers rise
    return std::ssize(steps) == ending.step && !steps.empty() && steps.back().number == ending.step;
  }
};

Ending ending_of(const Replay& replay);
Trace trace_of(const WorldSettings& settings, const Replay& replay);
// Without the steps that follow by themselves.
Trace compact(Trace trace);

std::string to_text(const Trace& trace);
// The compact text as one word (base64url).
std::string to_word(const Trace& trace);

struct TraceError {
  std::int64_t line = 0;  // from 1
  Refusal why;
};

// Strict: whatever to_text() could not have written is refused, with the first line that is wrong.
std::expected<Trace, TraceError> parse_trace(std::string_view text);
// Errors: also a word that isn't base64url, on line 1.
std::expected<Trace, TraceError> trace_of_word(std::string_view word);

// After editing by hand: the same lines with right checksums. Errors: those of the lines
// themselves.
std::expected<std::string, TraceError> resigned(std::string_view text);

// The first eight digits of the SHA-256 over the statements of core/pg without comments. Another
// one in a trace is no error: it says why a replay may go another way.
std::string_view statements_hash();

// "w1 claim_batch - #2"
std::string to_text(const Point& point);

}  // namespace sim
