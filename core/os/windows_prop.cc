#include <date/tz.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/os/windows.h"

namespace core::os {
namespace {

using std::chrono::minutes;

NightWindow drawn_window() {
  const auto zone = *rc::gen::element<std::string>("America/New_York", "Europe/Berlin",
                                                   "Asia/Tokyo", "Pacific/Auckland");
  const auto open = minutes(*rc::gen::inRange(0, 24 * 60));
  const auto close = minutes(*rc::gen::inRange(0, 24 * 60));
  RC_PRE(open != close);
  return {open, close, zone};
}

// 1990 to 2040; half of them within two days of a clock that is set in 2026.
DbTime drawn_instant() {
  const std::int64_t any = *rc::gen::inRange<std::int64_t>(631'152'000, 2'208'988'800);
  const auto change = *rc::gen::element<std::int64_t>(
      1'772'953'200, 1'793'512'800,   // New York: 8 March, 1 November
      1'774'746'000, 1'792'890'000,   // Berlin: 29 March, 25 October
      1'775'311'200, 1'790'431'200);  // Auckland: 4 April, 26 September
  const auto near = change + *rc::gen::inRange<std::int64_t>(-172'800, 172'800);
  return DbTime(std::chrono::seconds(*rc::gen::element(any, near)));
}

minutes wall_time(const NightWindow& window, DbTime instant) {
  const date::sys_time<Duration> at(instant.time_since_epoch());
  const auto local = date::locate_zone(window.zone)->to_local(at);
  return std::chrono::duration_cast<minutes>(local - date::floor<date::days>(local));
}
bool is_inside(const NightWindow& window, minutes wall) {
  if (window.open < window.close) return window.open <= wall && wall < window.close;
  return window.open <= wall || wall < window.close;
}

RC_GTEST_PROP(WindowsProperty, EachInstantOfAWindowIsInsideByTheClockOnTheWall, ()) {
  const NightWindow window = drawn_window();
  const OpenHours hours = hours_at(window, drawn_instant());
  RC_ASSERT(hours.opens < hours.closes);
  const std::int64_t length = (hours.closes - hours.opens).count();
  for (const std::int64_t after :
       {std::int64_t{0}, length - 1, *rc::gen::inRange<std::int64_t>(0, length)})
    RC_ASSERT(is_inside(window, wall_time(window, hours.opens + Duration(after))));
}

RC_GTEST_PROP(WindowsProperty, EachOfItsInstantsFindsTheSameWindow, ()) {
  const NightWindow window = drawn_window();
  const DbTime instant = drawn_instant();
  const OpenHours hours = hours_at(window, instant);
  RC_ASSERT(instant < hours.closes);
  const std::int64_t length = (hours.closes - hours.opens).count();
  for (const std::int64_t after :
       {std::int64_t{0}, length - 1, *rc::gen::inRange<std::int64_t>(0, length)})
    RC_ASSERT(hours_at(window, hours.opens + Duration(after)) == hours);
}

RC_GTEST_PROP(WindowsProperty, NightsNeverOverlapAndTheNextIsADayOff, ()) {
  const NightWindow window = drawn_window();
  OpenHours night = hours_at(window, drawn_instant());
  for (int i = 0; i < 3; ++i) {
    const OpenHours next = hours_at(window, night.closes);
    RC_ASSERT(next.opens >= night.closes);
    const auto apart = next.opens - night.opens;
    // A window inside the hour that is skipped is left out once.
    RC_ASSERT(apart >= std::chrono::hours(22));
    RC_ASSERT(apart <= std::chrono::hours(50));
    night = next;
  }
}

// Only an hour that comes twice may be left out, and only in part.
RC_GTEST_PROP(WindowsProperty, WhatTheWallSaysIsInsideIsInAWindow, ()) {
  const NightWindow window = drawn_window();
  const DbTime instant = drawn_instant();
  const bool inside = is_inside(window, wall_time(window, instant));
  const OpenHours hours = hours_at(window, instant);
  const date::sys_time<Duration> at(instant.time_since_epoch());
  const date::time_zone* zone = date::locate_zone(window.zone);
  const auto twice = [&](date::sys_time<Duration> time) {
    return zone->get_info(zone->to_local(time)).result == date::local_info::ambiguous;
  };
  RC_PRE(!twice(at));
  RC_ASSERT((hours.opens <= instant) == inside);
}

TEST(WindowsZones, TheChangesAreWhereThePropertiesLook) {
  for (const auto& [zone, at] : {std::pair{"America/New_York", 1'772'953'200},
                                 {"America/New_York", 1'793'512'800},
                                 {"Europe/Berlin", 1'774'746'000},
                                 {"Europe/Berlin", 1'792'890'000},
                                 {"Pacific/Auckland", 1'775'311'200},
                                 {"Pacific/Auckland", 1'790'431'200}}) {
    const date::sys_seconds change{std::chrono::seconds(at)};
    const date::time_zone* known = date::locate_zone(zone);
    EXPECT_NE(known->get_info(change).offset,
              known->get_info(change - std::chrono::seconds(1)).offset)
        << zone << " " << at;
  }
}

}  // namespace
}  // namespace core::os
