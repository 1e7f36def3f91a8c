#include "sim/bugs/catalog.h"

#include <algorithm>
#include <vector>

#include "sim/bugs/families.h"

namespace sim {
namespace {

using core::operator""s;

std::vector<const PlantedBug*> collect() {
  std::vector<const PlantedBug*> all;
  for (const auto family :
       {bugs::claims(), bugs::records(), bugs::answers(), bugs::keys(), bugs::opt_outs(),
        bugs::rates(), bugs::statements(), bugs::campaign(), bugs::hours()}) {
    for (const PlantedBug& bug : family) all.push_back(&bug);
  }
  return all;
}

// Small, and without misfortune: each bug says what it needs beyond this.
WorldSettings small_world() {
  WorldSettings settings;
  settings.members = 6;
  settings.workers = 2;
  settings.policy.batch = 2;
  settings.policy.lanes = 2;
  settings.policy.rate_per_s = 0;
  settings.policy.poll_max = settings.policy.lease + 10s;  // who has nothing to do sleeps past it
  settings.steps_max = 1000;
  return settings;
}

}  // namespace

std::span<const PlantedBug* const> all_bugs() {
  static const std::vector<const PlantedBug*> all = collect();
  return all;
}

const PlantedBug* find_bug(std::string_view name) {
  const auto all = all_bugs();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const PlantedBug* bug) { return bug->name == name; });
  return found == all.end() ? nullptr : *found;
}

WorldSettings planted(const PlantedBug& bug) {
  WorldSettings settings = small_world();
  settings.name = bug.name;
  settings.bug = &bug;
  if (bug.plant != nullptr) bug.plant(settings);
  return settings;
}

WorldSettings without_bug(WorldSettings settings) {
  settings.bug = nullptr;
  settings.dropped.clear();
  settings.worker_policy.reset();
  return settings;
}

}  // namespace sim
