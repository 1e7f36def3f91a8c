#include "core/os/windows.h"

#include <date/tz.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "core/assert.h"

namespace core::os {
namespace {

using std::chrono::minutes;

// Two digits, below the bound.
std::optional<int> two_digits(std::string_view text, int below) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = text.size() == 2 && error == std::errc{} && end == text.data() + text.size();
  if (!whole || value < 0 || value >= below) return std::nullopt;
  return value;
}

// "HH:MM"
std::optional<minutes> time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = two_digits(text.substr(0, 2), 24);
  const auto minute = two_digits(text.substr(3), 60);
  if (!hour || !minute) return std::nullopt;
  return minutes(60 * *hour + *minute);
}

std::string text_of_day(minutes time) {
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return two(time / minutes(60)) + ":" + two(time % minutes(60) / minutes(1));
}

const date::time_zone* zone_named(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::runtime_error&) {  // the library has no other answer
    return nullptr;
  }
}

enum class Reading : std::uint8_t { earlier, later };

date::sys_seconds instant_of(const date::time_zone& zone, date::local_seconds wall,
                             Reading reading) {
  const date::local_info info = zone.get_info(wall);
  if (info.result == date::local_info::nonexistent) return info.first.end;
  const bool second = info.result == date::local_info::ambiguous && reading == Reading::later;
  return date::sys_seconds(wall.time_since_epoch() -
                           (second ? info.second.offset : info.first.offset));
}

DbTime database_time(date::sys_seconds at) {
  return DbTime(at.time_since_epoch());
}

// "2026-12-24", midnight in UTC.
std::optional<std::chrono::sys_days> day_of(std::string_view text) {
  int year = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, year);
  if (error != std::errc{} || end != text.data() + 4 || text[4] != '-' || text[7] != '-')
    return std::nullopt;
  const auto month = two_digits(text.substr(5, 2), 13);
  const auto day = two_digits(text.substr(8, 2), 32);
  if (!month || !day || year < 1970) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// "Z", "+09:00"
std::optional<minutes> offset_of(std::string_view text) {
  if (text == "Z") return minutes(0);
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const auto time = time_of_day(text.substr(1));
  if (!time) return std::nullopt;
  return text.front() == '+' ? *time : -*time;
}

}  // namespace

std::expected<NightWindow, std::string> parse_window(std::string_view text) {
  const std::unexpected<std::string> malformed(
      "must be two different times of day and a zone, such as 22:00-06:00 Asia/Tokyo");
  if (text.size() < 13 || text[5] != '-' || text[11] != ' ') return malformed;
  const auto open = time_of_day(text.substr(0, 5));
  const auto close = time_of_day(text.substr(6, 5));
  if (!open || !close || *open == *close) return malformed;
  NightWindow window{*open, *close, std::string(text.substr(12))};
  if (zone_named(window.zone) == nullptr)
    return std::unexpected("no zone is named \"" + window.zone +
                           "\" in the system's tzdata; give one like Asia/Tokyo or Europe/Berlin");
  return window;
}

std::string text_of(const NightWindow& window) {
  return text_of_day(window.open) + "-" + text_of_day(window.close) + " " + window.zone;
}

OpenHours hours_at(const NightWindow& window, DbTime instant) {
  const date::time_zone* zone = zone_named(window.zone);
  ASSERT(zone != nullptr);
  const date::sys_time<Duration> now(instant.time_since_epoch());
  const auto today = date::floor<date::days>(zone->to_local(now));
  // A night may have begun a day ago, and a zone may skip a whole day.
  for (int day = -2; day <= 8; ++day) {
    const date::local_seconds opens_at = today + date::days(day) + window.open;
    const date::local_seconds closes_at =
        today + date::days(window.close < window.open ? day + 1 : day) + window.close;
    const date::sys_seconds closes = instant_of(*zone, closes_at, Reading::earlier);
    date::sys_seconds opens = instant_of(*zone, opens_at, Reading::later);
    if (opens >= closes) opens = instant_of(*zone, opens_at, Reading::earlier);
    if (opens < closes && now < closes) return {database_time(opens), database_time(closes)};
  }
  ASSERT(false && "no zone is without a night for a week");
}

std::expected<DbTime, std::string> parse_moment(std::string_view text) {
  const std::unexpected<std::string> malformed(
      "must be a date, a time and its offset from UTC, such as 2026-12-24T06:00+09:00");
  if (text.size() < 17 || text[10] != 'T') return malformed;
  const auto day = day_of(text.substr(0, 10));
  const auto time = time_of_day(text.substr(11, 5));
  std::string_view rest = text.substr(16);
  std::optional<int> seconds = 0;
  if (rest.size() > 3 && rest.front() == ':') {
    seconds = two_digits(rest.substr(1, 2), 60);
    rest.remove_prefix(3);
  }
  const auto offset = offset_of(rest);
  if (!day || !time || !seconds || !offset) return malformed;
  return DbTime(day->time_since_epoch() + *time + std::chrono::seconds(*seconds) - *offset);
}

}  // namespace core::os
