// A schedule as a reader follows it: each step, when it happened, and what came of it.
//
// wording.h has the words for what is done, came_of.h those for what came of it.
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
  std::string came_of_it;  // "provider delivers, answers 200"; may be empty
  bool changes = false;    // more than looking and waiting
};

// Requires: the steps are those of a replay of these settings.
std::vector<StoryLine> story_of(const WorldSettings& settings, const std::vector<Step>& steps);

}  // namespace sim
