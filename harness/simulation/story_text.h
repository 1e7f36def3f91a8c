// A story in columns of at most 100, for a terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/story.h"

namespace harness {

struct StoryOptions {
  bool whole = false;  // else a long one leaves out what is far from deviations, cause and end
  std::optional<std::int64_t> cause;  // marked
};

// One line a step; '*' marks deviations, '>' the cause.
std::string story_text(const std::vector<sim::StoryLine>& story, const StoryOptions& options);

}  // namespace harness
