#include <algorithm>

#include "sim/trace/base64url.h"
#include "sim/trace/crc32.h"
#include "sim/trace/trace_lines.h"

namespace sim {
namespace {

constexpr std::string_view resign = "; after an edit by hand, --resign makes its checksums right";

class Reader {
 public:
  Reader(std::string_view text, bool checks) : text_(text), checks_(checks) {}

  std::expected<Trace, TraceError> run() {
    while (!error_ && !text_.empty()) {
      ++line_;
      const std::string_view line = checked_line();
      if (!error_) read(line);
    }
    if (!error_ && line_ == 0) fail({"it is empty", "a trace begins with sendproof-trace", "", {}});
    if (!error_ && !ended_)
      fail({"the trace is cut: its last line is missing",
            "it ends with a line verdict ...",
            "",
            {}});
    if (error_) return std::unexpected(std::move(*error_));
    return std::move(trace_);
  }

 private:
  void fail(Refusal why) { error_ = TraceError{std::max<std::int64_t>(line_, 1), std::move(why)}; }

  // Takes the next line off the text. Returns: it without its checksum.
  std::string_view checked_line() {
    const std::size_t end = text_.find('\n');
    const bool cut = end == std::string_view::npos;
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(cut ? text_.size() : end + 1);
    // Another schema may check its lines otherwise: that it is another is said first.
    if (line_ == 1)
      if (auto done = read_schema(line); !done) fail(done.error());
    if (!error_ && cut && checks_)
      fail({"the line is cut: it has no end", "copy the trace whole", "", {}});
    const std::size_t mark = line.rfind(" ~");
    const std::string_view given = mark == std::string_view::npos ? "" : line.substr(mark + 2);
    line = line.substr(0, mark);
    crc_.add(line);
    crc_.add("\n");
    if (!error_ && checks_ && given != crc_.text())
      fail({given.size() == 8 ? "the line is damaged, or one before it is missing"
                              : "the line's checksum is missing or cut",
            "copy the trace whole" + std::string(resign),
            "",
            {}});
    return line;
  }

  void read(std::string_view line) {
    if (ended_) return fail({"a line after the verdict", "the verdict is the last line", "", {}});
    if (line_ == 1) {
      if (auto done = read_head(line, trace_); !done) fail(done.error());
    } else if (line.starts_with("verdict")) {
      const auto ending = read_ending(line);
      if (!ending) return fail(ending.error());
      trace_.ending = *ending;
      ended_ = true;
    } else {
      auto step = read_step(line);
      if (!step) return fail(step.error());
      if (!trace_.steps.empty() && step->number <= trace_.steps.back().number)
        return fail({"step " + std::to_string(step->number) + " is out of order",
                     "the numbers of steps rise",
                     "",
                     {}});
      trace_.steps.push_back(*step);
    }
  }

  std::string_view text_;
  bool checks_;
  Crc32 crc_;
  Trace trace_;
  std::int64_t line_ = 0;
  bool ended_ = false;
  std::optional<TraceError> error_;
};

}  // namespace

std::expected<Trace, TraceError> parse_trace(std::string_view text) {
  return Reader(text, true).run();
}

std::expected<Trace, TraceError> trace_of_word(std::string_view word) {
  const auto text = from_base64url(word);
  if (!text)
    return std::unexpected(TraceError{
        1,
        {"the word is no trace, or is cut", "copy it whole from the last line of a run", "", {}}});
  return parse_trace(*text);
}

std::expected<std::string, TraceError> resigned(std::string_view text) {
  auto trace = Reader(text, false).run();
  if (!trace) return std::unexpected(trace.error());
  return to_text(*trace);
}

}  // namespace sim
