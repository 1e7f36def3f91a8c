// Any text in a Retry-After or Date header, held against a second reading by the C library's
// calendar.
#include <array>
#include <cstdio>
#include <ctime>
#include <string>

#include "core/assert.h"
#include "core/retry_after.h"
#include "core/testing/fuzz.h"

namespace core {
namespace {

constexpr Duration most = 24h;
// 2026-10-15, 1970, the last second of 1999 and of 2099, a 29th of February.
constexpr std::array<std::int64_t, 5> moments = {1'792'065'600, 0, 946'684'799, 4'102'444'799,
                                                 951'782'400};

constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

enum class Form { imf, rfc850, asctime, asctime_with_zero };
constexpr std::array forms = {Form::imf, Form::rfc850, Form::asctime, Form::asctime_with_zero};

// Without its weekday, which says nothing that the rest doesn't.
std::string written(std::int64_t at, Form form) {
  const std::time_t time = at;
  std::tm tm{};
  gmtime_r(&time, &tm);
  const char* const month = months[static_cast<std::size_t>(tm.tm_mon)];
  const int year = tm.tm_year + 1900;
  char clock[40], text[80];
  std::snprintf(clock, sizeof clock, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
  switch (form) {
    case Form::imf:
      std::snprintf(text, sizeof text, ", %02d %s %04d %s GMT", tm.tm_mday, month, year, clock);
      break;
    case Form::rfc850:
      std::snprintf(text, sizeof text, ", %02d-%s-%02d %s GMT", tm.tm_mday, month, year % 100,
                    clock);
      break;
    case Form::asctime:
      std::snprintf(text, sizeof text, " %s %2d %s %04d", month, tm.tm_mday, clock, year);
      break;
    case Form::asctime_with_zero:
      std::snprintf(text, sizeof text, " %s %02d %s %04d", month, tm.tm_mday, clock, year);
      break;
  }
  return text;
}

const char* pattern(Form form) {
  switch (form) {
    case Form::imf:
      return "%a, %d %b %Y %H:%M:%S GMT";
    case Form::rfc850:
      return "%A, %d-%b-%y %H:%M:%S GMT";
    case Form::asctime:
    case Form::asctime_with_zero:
      break;
  }
  return "%a %b %d %H:%M:%S %Y";
}

std::string_view without_weekday(std::string_view text) {
  const std::size_t end = text.find_first_of(", ");
  return end == std::string_view::npos ? "" : text.substr(end);
}

int year_of(std::int64_t at) {
  const std::time_t time = at;
  std::tm tm{};
  gmtime_r(&time, &tm);
  return tm.tm_year + 1900;
}

// A date that strptime takes and that is written again as the same text. Two digits of a year mean
// the nearest one, of two as near the later (RFC 9110 5.6.7: what looks more than 50 years ahead is
// past).
std::optional<std::int64_t> read_again(const std::string& text, std::int64_t now_s) {
  for (const Form form : forms) {
    std::tm tm{};
    const char* const end = strptime(text.c_str(), pattern(form), &tm);
    if (end != text.c_str() + text.size()) continue;
    if (form == Form::rfc850) {
      const int this_year = year_of(now_s);
      int year = this_year + 50;
      while (year % 100 != tm.tm_year % 100) --year;
      tm.tm_year = year - 1900;
    }
    const std::int64_t at = timegm(&tm);
    if (written(at, form) == without_weekday(text)) return at;
  }
  return std::nullopt;
}

bool says(std::string_view text, std::int64_t at) {
  for (const Form form : forms)
    if (written(at, form) == without_weekday(text)) return true;
  return text.find(":60") != std::string_view::npos;  // a leap second is the next minute
}

std::optional<Duration> waits_again(std::string_view text, std::int64_t now_s) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  if (text.find_first_not_of("0123456789") == std::string_view::npos) {
    while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
    // Beyond 64 bits it is no number that anybody means.
    constexpr std::string_view largest = "9223372036854775807";
    if (text.size() > largest.size() || (text.size() == largest.size() && text > largest))
      return std::nullopt;
    return text.size() > 6 ? most : std::min<Duration>(most, 1s * std::stoi(std::string(text)));
  }
  const auto at = parse_http_date(text, now_s);
  if (!at) return std::nullopt;
  return std::min<Duration>(most, 1s * std::max<std::int64_t>(0, *at - now_s));
}

}  // namespace
}  // namespace core

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace core;
  const std::string text(testing::text_of(data, size));
  for (const std::int64_t now_s : moments) {
    const auto at = parse_http_date(text, now_s);
    const auto again = read_again(text, now_s);
    ASSERT(!again || at == again);
    ASSERT(!at || says(text, *at));
    const auto waited = parse_retry_after(text, now_s, most);
    ASSERT(!waited || (*waited >= 0s && *waited <= most));
    ASSERT(waited == waits_again(text, now_s));
  }
  return 0;
}
