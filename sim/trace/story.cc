#include "sim/trace/story.h"

#include "core/assert.h"
#include "sim/trace/came_of.h"

namespace sim {

std::vector<StoryLine> story_of(const WorldSettings& settings, const std::vector<Step>& steps) {
  std::vector<StoryLine> lines;
  World world(settings);
  std::vector<DatabaseCall> calls;
  world.log_calls(&calls);
  const core::Instant start = world.now();
  for (const Step& step : steps) {
    StoryLine line{std::ssize(lines) + 1, step, world.now() - start, {}, false};
    const World before = world;
    const auto offer = world.find(step.move);
    ASSERT(offer && "a replayed step is offered again");
    calls.clear();
    world.apply(*offer);
    CameOf came = came_of(before, world, step.move, calls);
    line.came_of_it = std::move(came.text);
    line.changes = came.changes;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace sim
