#include "harness/cli/progress.h"

#include <fmt/format.h>

#include "core/number_text.h"
#include "reports/text_layout.h"

namespace harness::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLineMost = 79;  // a line that a terminal wraps can't be rewritten
constexpr auto kTerminalPeriod = 100ms;
constexpr auto kPlainPeriod = 5s;
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

ConsoleProgress::ConsoleProgress(std::ostream& out, bool is_terminal,
                                 std::function<Clock::time_point()> now)
    : out_(out), is_terminal_(is_terminal), now_(std::move(now)), start_(now_()), last_(start_) {}

ConsoleProgress::~ConsoleProgress() {
  if (!shown_.empty()) out_ << kClearLine << std::flush;
}

void ConsoleProgress::stage(std::string_view what) {
  const std::lock_guard lock(mutex_);
  last_ = now_();
  is_terminal_ ? rewrite(what) : print(what);
}

void ConsoleProgress::count(std::string_view sender, std::int64_t accepted, std::int64_t members,
                            std::int64_t per_s) {
  moving(fmt::format("{}: {} mails accepted for {} members, {}/s", reports::shortened(sender, 30),
                     core::grouped(accepted), core::grouped(members), core::grouped(per_s)));
}

void ConsoleProgress::moving(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!is_due(is_terminal_ ? Clock::duration(kTerminalPeriod) : Clock::duration(kPlainPeriod)))
    return;
  is_terminal_ ? rewrite(line) : print(line);
}

void ConsoleProgress::note(std::string_view line) {
  const std::lock_guard lock(mutex_);
  const std::string below = shown_;
  if (!below.empty()) out_ << kClearLine;
  print(line);
  if (!below.empty()) rewrite(below);
}

void ConsoleProgress::rewrite(std::string_view line) {
  shown_ = reports::shortened(line, kLineMost);
  out_ << kClearLine << shown_ << std::flush;
}

void ConsoleProgress::print(std::string_view line) {
  shown_.clear();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now_() - start_).count();
  out_ << fmt::format("{:>4} s  {}\n", seconds, reports::shortened(line, 2000)) << std::flush;
}

bool ConsoleProgress::is_due(Clock::duration period) {
  const Clock::time_point now = now_();
  if (now - last_ < period) return false;
  last_ = now;
  return true;
}

}  // namespace harness::cli
