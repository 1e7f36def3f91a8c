// A schedule for a reader: its world, its story, the oracle it broke; at most 100 columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/trace/story.h"

namespace harness {

struct StoryOptions {
  bool whole = false;  // else a long one leaves out what is far from deviations, cause and end
  std::optional<std::int64_t> cause;  // marked
};

// One line a step; '*' marks deviations, '>' the cause.
std::string story_text(const std::vector<sim::StoryLine>& story, const StoryOptions& options);

// The world, how to read the story, the story, and the verdict with its cause.
std::string replay_text(const sim::WorldSettings& settings, const sim::Replay& replay,
                        const StoryOptions& options);

}  // namespace harness
