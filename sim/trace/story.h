// A schedule as a reader follows it: each step, when it happened, and what came of it.
//
// What came of a step is read off the world before and after it, so it is what really happened to
// rows, mails and processes, not what a worker believes.
#pragma once

#include <string>
#include <vector>

#include "core/time.h"
#include "sim/schedule/schedule.h"

namespace sim {

struct StoryLine {
  std::int64_t number = 0;  // from 1
  Step step;
  core::Duration at{0};    // since the start, before the step
  std::string came_of_it;  // "200, delivered; m3 pending -> sent"; may be empty
};

// Requires: the steps are those of a replay of these settings.
std::vector<StoryLine> story_of(const WorldSettings& settings, const std::vector<Step>& steps);

}  // namespace sim
