#include "core/number_text.h"

#include <cstdio>

namespace core {

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t digits_from = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > digits_from + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string utc_text(DbTime time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(
      std::chrono::sys_time<Duration>(time.time_since_epoch()));
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<std::chrono::seconds> clock(second - day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::string span_text(Duration span) {
  const std::int64_t s = (span.count() + 999'999) / 1'000'000;
  std::string text;
  if (s >= 3600) text += std::to_string(s / 3600) + " h ";
  if (s >= 60) text += std::to_string(s / 60 % 60) + " min ";
  return text + std::to_string(s % 60) + " s";
}

}  // namespace core
