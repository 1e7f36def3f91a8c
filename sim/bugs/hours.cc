// When a campaign may be sent, and what becomes of those who are left.
#include <array>

#include "sim/bugs/families.h"
#include "sim/bugs/needs.h"

namespace sim::bugs {
namespace {

using core::operator""ms;
using core::operator""s;

void opens_twice(WorldSettings& world) {
  world.window_closes = 20ms;
  world.window_every = 200s;
}

void always_open(WorldSettings& world) {
  world.window_closes = 0s;
}

void opens_late(WorldSettings& world) {
  opens_twice(world);
  world.window_opens = 10ms;
}

void is_over_soon(WorldSettings& world) {
  world.not_after = 20ms;
}

void is_never_over(WorldSettings& world) {
  world.not_after = 0s;
}

// When the first retries are being sent.
void is_over_amid_retries(WorldSettings& world) {
  world.policy.lanes = 1;
  world.provider.rules.push_back({503, 1, 1});
  world.not_after = 50s;
}

void no_close(Sabotage&, core::Event& event) {
  if (auto* started = std::get_if<core::Started>(&event))
    started->hours.closes = core::Hours::never;
}

void no_opening(Sabotage&, core::Event& event) {
  if (auto* started = std::get_if<core::Started>(&event))
    started->hours.opens = core::DbTime::min();
}

void no_last_date(Sabotage&, core::Event& event) {
  if (auto* started = std::get_if<core::Started>(&event))
    started->hours.not_after = core::Hours::never;
}

constexpr std::array bugs{
    PlantedBug{.name = "sends-past-the-close",
               .story = "The window closes while batches are claimed, and who has begun goes on to "
                        "the end.",
               .caught_by = Oracle::S19,
               .only = true,
               .plant = opens_twice,
               .calm = always_open,
               .event = no_close},
    PlantedBug{.name = "sends-before-the-opening",
               .story = "Who is started before the window opens sends at once.",
               .caught_by = Oracle::S19,
               .only = true,
               .plant = opens_late,
               .calm = always_open,
               .event = no_opening},
    PlantedBug{.name = "sends-what-is-stale",
               .story = "The campaign's last date passes, and the rest of it is mailed all the "
                        "same.",
               .caught_by = Oracle::S19,
               .only = true,
               .plant = is_over_soon,
               .calm = is_never_over,
               .event = no_last_date},
    PlantedBug{.name = "skip_stale.lease_expired",
               .story =
                   "After the last date whole batches are skipped, also those whose claims are "
                   "alive and are being recorded.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::skip_stale_lease_expired, is_over_soon>,
               .calm = is_never_over},
    PlantedBug{.name = "skip_stale.retry_lease",
               .story = "After the last date retries are skipped that somebody has claimed and is "
                        "sending.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::skip_stale_retry_lease, is_over_amid_retries>,
               .calm = is_never_over},
    PlantedBug{.name = "skip_stale.doubt",
               .story = "A worker is killed after its requests, and when the last date is over its "
                        "members are said to have got nothing.",
               .caught_by = Oracle::S6,
               .only = true,
               .plant = drop<Conjunct::skip_stale_doubt, is_over_soon, strikes<Fault::kill, 1>>,
               .calm = strikes<Fault::kill, 0>},
    PlantedBug{
        .name = "skip_stale.paused",
        .story = "A person pauses the campaign, its last date passes, and members are "
                 "skipped all the same.",
        .caught_by = Oracle::S18,
        .only = true,
        .plant = drop<Conjunct::skip_stale_paused, is_over_soon, strikes<Fault::pause_campaign, 2>>,
        .calm = strikes<Fault::pause_campaign, 0>},
};

}  // namespace

std::span<const PlantedBug> hours() {
  return bugs;
}

}  // namespace sim::bugs
