#include "harness/simulation/story_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace harness {
namespace {

constexpr std::size_t came_width = 43;  // 100 less the columns before it
constexpr std::size_t lines_without_gaps = 60;
constexpr std::int64_t steps_around = 3;
constexpr std::size_t deviations_shown = 40;

std::vector<std::string> broken_at_blanks(std::string text) {
  std::vector<std::string> lines;
  while (text.size() > came_width) {
    std::size_t end = text.rfind(' ', came_width);
    if (end == std::string::npos || end == 0) end = came_width;
    lines.push_back(text.substr(0, end));
    text.erase(0, text.find_first_not_of(' ', end));
  }
  lines.push_back(std::move(text));
  return lines;
}

std::vector<bool> worth_showing(const std::vector<sim::StoryLine>& story,
                                const StoryOptions& options) {
  const bool all = options.whole || story.size() <= lines_without_gaps;
  std::vector<bool> shown(story.size(), all);
  const auto show_around = [&](std::int64_t number) {
    const std::int64_t first = std::max<std::int64_t>(number - steps_around, 1);
    const std::int64_t last = std::min(number + steps_around, std::ssize(story));
    for (std::int64_t i = first; i <= last; ++i) shown[static_cast<std::size_t>(i - 1)] = true;
  };
  std::size_t deviations = 0;
  for (const sim::StoryLine& line : story) {
    if (line.step.deviates && ++deviations <= deviations_shown) show_around(line.number);
  }
  if (options.cause) show_around(*options.cause);
  show_around(std::ssize(story) - steps_around);
  return shown;
}

std::string line_text(const sim::StoryLine& line, const StoryOptions& options) {
  const auto us = line.at.count();
  const std::string_view deviates = line.step.deviates ? "*" : " ";
  const std::string_view is_cause = options.cause == line.number ? ">" : " ";
  const auto came = broken_at_blanks(line.came_of_it);
  std::string out = fmt::format("{}{}{:>5} {:>9}.{:03}  {:<33} {}", deviates, is_cause, line.number,
                                us / 1'000'000, us / 1000 % 1000, to_text(line.step.move), came[0]);
  out.erase(out.find_last_not_of(' ') + 1);
  out += "\n";
  for (std::size_t i = 1; i < came.size(); ++i) out += fmt::format("{:57}{}\n", "", came[i]);
  return out;
}

}  // namespace

std::string story_text(const std::vector<sim::StoryLine>& story, const StoryOptions& options) {
  if (story.empty()) return "";
  std::string out = fmt::format("{:>7} {:>13}  {:<33} {}\n", "step", "seconds",
                                "who, what, about, how", "what came of it");
  const std::vector<bool> shown = worth_showing(story, options);
  std::int64_t left_out = 0;
  for (std::size_t i = 0; i < story.size(); ++i) {
    if (!shown[i]) {
      ++left_out;
      continue;
    }
    if (left_out > 0) out += fmt::format("{:>7} {} steps\n", "...", left_out);
    left_out = 0;
    out += line_text(story[i], options);
  }
  return out;
}

}  // namespace harness
