// A window of each night by the clock on the wall of a named zone, as instants.
//
// Promise: at every instant of a window the wall's clock reads a time of day inside it, also where
// the clock is set forward or back. So a window opens at the later of two equal readings and closes
// at the earlier (opens at the earlier too where nothing would be left of it), and a reading that
// is skipped stands for the moment of the skip. A day on which nothing is left has no window.
//
// Threads: any. Time: none is read. The zones are the system's (tzdata).
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>

#include "core/time.h"

namespace core::os {

struct NightWindow {
  std::chrono::minutes open{0};   // after midnight, less than a day
  std::chrono::minutes close{0};  // another than open; before it: of the next day
  std::string zone;               // "Asia/Tokyo"
  bool operator==(const NightWindow&) const = default;
};

// "22:00-06:00 Asia/Tokyo". Returns, for what is none or names an unknown zone: what would be
// right, in one line.
std::expected<NightWindow, std::string> parse_window(std::string_view text);
std::string text_of(const NightWindow& window);

struct OpenHours {  // [opens, closes)
  DbTime opens{};
  DbTime closes{};
  bool operator==(const OpenHours&) const = default;
};
// The window that holds the instant, else the next one. Requires: the zone is known.
OpenHours hours_at(const NightWindow& window, DbTime instant);

// "2026-12-24T06:00+09:00", "2026-12-24T06:00:00Z": without an offset it is refused, in one line.
std::expected<DbTime, std::string> parse_moment(std::string_view text);

}  // namespace core::os
