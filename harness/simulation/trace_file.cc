#include "harness/simulation/trace_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "reports/write_file.h"
#include "scenarios/nearest.h"

namespace harness {
namespace {

std::string message(const std::string& where, const sim::TraceError& error) {
  const sim::Refusal& why = error.why;
  const std::string named = why.word.empty() ? "" : fmt::format(" \"{}\"", why.word);
  std::string right = why.right;
  if (right.empty())
    right = why.known.empty() ? "there are none" : scenarios::suggestion(why.word, why.known);
  return fmt::format("{}:{}: {}{}; {}", where, error.line, why.what, named, right);
}

std::string without_marks_of_its_way(std::string text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  for (std::size_t at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at))
    text.erase(at, 1);
  return text;
}

std::expected<std::string, std::string> text_of_file(const std::string& file) {
  std::error_code ignored;
  std::ostringstream text;
  // A device or a pipe may have no end.
  const bool regular = std::filesystem::is_regular_file(file, ignored);
  std::ifstream in(regular ? file : "", std::ios::binary);
  if (in) text << in.rdbuf();
  if (!in) return std::unexpected(file + ": can't be read; give a trace file or a trace's word");
  return without_marks_of_its_way(text.str());
}

// Paths have a dot or a slash, words have not.
bool looks_like_a_path(const std::string& text) {
  return text.find_first_of("./") != std::string::npos;
}

}  // namespace

std::expected<sim::Trace, std::string> read_trace(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    if (looks_like_a_path(file) || file.size() < 64)
      return std::unexpected(file + ": no such file; give a trace file or a trace's word");
    auto trace = sim::trace_of_word(file);
    if (!trace)
      return std::unexpected(
          message(fmt::format("the word {}...", file.substr(0, 12)), trace.error()));
    return std::move(*trace);
  }
  const auto text = text_of_file(file);
  if (!text) return std::unexpected(text.error());
  auto trace = sim::parse_trace(*text);
  if (!trace) return std::unexpected(message(file, trace.error()));
  return std::move(*trace);
}

std::expected<void, std::string> resign_trace(const std::string& file) {
  const auto text = text_of_file(file);
  if (!text) return std::unexpected(text.error());
  const auto anew = sim::resigned(*text);
  if (!anew) return std::unexpected(message(file, anew.error()));
  const auto written = reports::write_file(file, *anew);
  if (!written) return std::unexpected(written.error().message);
  return {};
}

}  // namespace harness
