#include "harness/simulation/story_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/text_layout.h"
#include "sim/trace/settings_text.h"
#include "sim/trace/wording.h"

namespace harness {
namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t done_at = 24;  // the columns before what is done
constexpr std::size_t done_width = 34;
constexpr std::size_t came_width = columns - done_at - done_width - 2;
constexpr std::size_t lines_without_gaps = 60;
constexpr std::int64_t steps_around = 3;
constexpr std::size_t deviations_shown = 40;
constexpr std::size_t changes_shown = 40;

std::vector<std::string> broken_at_blanks(std::string text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    if (end == std::string::npos || end == 0) end = width;
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
  std::size_t changes = 0;
  for (const sim::StoryLine& line : story) {
    if (line.changes && ++changes <= changes_shown)
      shown[static_cast<std::size_t>(line.number - 1)] = true;
  }
  std::size_t deviations = 0;
  for (const sim::StoryLine& line : story) {
    if (line.step.deviates && ++deviations <= deviations_shown) show_around(line.number);
  }
  if (options.cause) show_around(*options.cause);
  show_around(std::ssize(story) - steps_around);
  for (std::size_t i = 1; i + 1 < shown.size(); ++i)  // a gap takes a line as well
    if (shown[i - 1] && shown[i + 1]) shown[i] = true;
  return shown;
}

std::string line_text(const sim::StoryLine& line, const StoryOptions& options) {
  const auto us = line.at.count();
  const std::string_view deviates = line.step.deviates ? "*" : " ";
  const std::string_view is_cause = options.cause == line.number ? ">" : " ";
  const auto done = broken_at_blanks(wording(line.step.move), done_width);
  const auto came = broken_at_blanks(line.came_of_it, came_width);
  std::string out;
  for (std::size_t i = 0; i < std::max(done.size(), came.size()); ++i) {
    std::string ahead(done_at, ' ');
    if (i == 0)
      ahead = fmt::format("{}{}{:>5} {:>6}.{:03}  {:<3} ", deviates, is_cause, line.number,
                          us / 1'000'000, us / 1000 % 1000, sim::actor_name(line.step.move.actor));
    out += fmt::format("{}{:<{}}  {}", ahead, i < done.size() ? done[i] : "", done_width,
                       i < came.size() ? came[i] : "");
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  return out;
}

// What is told elsewhere, or first.
bool is_told(std::string_view setting) {
  static constexpr std::array<std::string_view, 5> told{
      "name=", "bug=", "dropped=", "members=", "workers="};
  return std::ranges::any_of(told, [&](std::string_view key) { return setting.starts_with(key); });
}

std::string world_text(const sim::WorldSettings& settings) {
  std::string text =
      fmt::format("world: {} members, {} workers", settings.members, settings.workers);
  const std::string unusual = to_text(settings);
  std::string_view between = "; not as usual: ";
  for (std::size_t first = 0; first < unusual.size();) {
    const std::size_t end = std::min(unusual.find(' ', first), unusual.size());
    const std::string setting = unusual.substr(first, end - first);
    if (!is_told(setting)) {
      text += std::string(between) + setting;
      between = " ";
    }
    first = end + 1;
  }
  return reports::wrapped(text, columns);
}

constexpr std::string_view legend =
    "w1 .. are workers, m1 .. members, b1 .. batches of members; - is the world around them.\n"
    "* forced by the search; all other steps are what happens by itself.\n";

}  // namespace

std::string story_text(const std::vector<sim::StoryLine>& story, const StoryOptions& options) {
  if (story.empty()) return "";
  std::string out = fmt::format("{:>7} {:>10}  {:<3} {:<{}}  {}\n", "step", "seconds", "who",
                                "does", done_width, "what came of it");
  const std::vector<bool> shown = worth_showing(story, options);
  std::int64_t left_out = 0;
  bool changes_left_out = false;
  for (std::size_t i = 0; i < story.size(); ++i) {
    if (!shown[i]) {
      ++left_out;
      changes_left_out = changes_left_out || story[i].changes;
      continue;
    }
    if (left_out > 0)
      out += fmt::format("{:>7} {} steps{}\n", "...", left_out,
                         changes_left_out ? "" : " of looking and waiting");
    left_out = 0;
    changes_left_out = false;
    out += line_text(story[i], options);
  }
  return out;
}

std::string replay_text(const sim::WorldSettings& settings, const sim::Replay& replay,
                        const StoryOptions& options) {
  std::string out = world_text(settings) + std::string(legend) + "\n" +
                    story_text(sim::story_of(settings, replay.steps), options) + "\n";
  if (!replay.verdict) return out;
  const auto& oracle = sim::text_of(replay.verdict->oracle);
  out +=
      reports::wrapped(fmt::format("{} is broken: {}", oracle.name, replay.verdict->what), columns);
  // After the first step it says no more than that the run fails by itself.
  if (options.cause && *options.cause > 1)
    out += reports::wrapped(
        fmt::format(
            "cause: step {}, marked >, is the point of no return: before it, going on without "
            "further faults could still end well; after it nothing tried did",
            *options.cause),
        columns);
  return out;
}

}  // namespace harness
