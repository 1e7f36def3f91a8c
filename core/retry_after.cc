#include "core/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace core {
namespace {

constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Reads fixed pieces from the front of a text; once something doesn't fit, it stays failed.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}
  bool done() const { return !failed_ && rest_.empty(); }
  void word(std::string_view expected) {
    if (failed_ || !rest_.starts_with(expected)) {
      failed_ = true;
    } else {
      rest_.remove_prefix(expected.size());
    }
  }
  int digits(std::size_t count) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (failed_ || rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
        failed_ = true;
        return 0;
      }
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  // asctime pads the day with a space.
  int day_padded() {
    if (!rest_.empty() && rest_[0] == ' ') {
      rest_.remove_prefix(1);
      return digits(1);
    }
    return digits(2);
  }
  unsigned month() {
    for (unsigned i = 0; i < months.size(); ++i) {
      if (rest_.starts_with(months[i])) {
        rest_.remove_prefix(3);
        return i + 1;
      }
    }
    failed_ = true;
    return 1;
  }
  void skip_letters_up_to(char stop) {
    while (!rest_.empty() && rest_[0] != stop) {
      const char c = rest_[0];
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) failed_ = true;
      rest_.remove_prefix(1);
    }
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

struct Date {
  int year = 0;
  unsigned month = 1;
  int day = 0, hour = 0, minute = 0, second = 0;
};

void time_of_day(Pieces& pieces, Date& date) {
  date.hour = pieces.digits(2);
  pieces.word(":");
  date.minute = pieces.digits(2);
  pieces.word(":");
  date.second = pieces.digits(2);
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
bool read_imf(std::string_view text, Date& date) {
  Pieces pieces(text);
  pieces.skip_letters_up_to(',');
  pieces.word(", ");
  date.day = pieces.digits(2);
  pieces.word(" ");
  date.month = pieces.month();
  pieces.word(" ");
  date.year = pieces.digits(4);
  pieces.word(" ");
  time_of_day(pieces, date);
  pieces.word(" GMT");
  return pieces.done();
}

// "Sunday, 06-Nov-94 08:49:37 GMT"; RFC 9110: two digits that look more than 50 years ahead are the
// past; and the other way round, or the last seconds before a century ends would wait for the one
// before.
bool read_rfc850(std::string_view text, std::int64_t now_s, Date& date) {
  Pieces pieces(text);
  pieces.skip_letters_up_to(',');
  pieces.word(", ");
  date.day = pieces.digits(2);
  pieces.word("-");
  date.month = pieces.month();
  pieces.word("-");
  date.year = pieces.digits(2);
  pieces.word(" ");
  time_of_day(pieces, date);
  pieces.word(" GMT");
  const std::chrono::year_month_day today{
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(now_s)))};
  const int this_year = static_cast<int>(today.year());
  date.year += this_year - this_year % 100;
  if (date.year > this_year + 50) date.year -= 100;
  if (date.year <= this_year - 50) date.year += 100;
  return pieces.done();
}

// "Sun Nov  6 08:49:37 1994"
bool read_asctime(std::string_view text, Date& date) {
  Pieces pieces(text);
  pieces.skip_letters_up_to(' ');
  pieces.word(" ");
  date.month = pieces.month();
  pieces.word(" ");
  date.day = pieces.day_padded();
  pieces.word(" ");
  time_of_day(pieces, date);
  pieces.word(" ");
  date.year = pieces.digits(4);
  return pieces.done();
}

std::optional<std::int64_t> seconds_since_epoch(const Date& date) {
  const std::chrono::year_month_day day{std::chrono::year(date.year),
                                        std::chrono::month(date.month),
                                        std::chrono::day(static_cast<unsigned>(date.day))};
  if (!day.ok() || date.hour > 23 || date.minute > 59 || date.second > 60) return std::nullopt;
  const auto midnight = std::chrono::sys_days(day).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(midnight).count() + date.hour * 3600 +
         date.minute * 60 + date.second;
}

}  // namespace

std::optional<std::int64_t> parse_http_date(std::string_view value, std::int64_t now_s) {
  Date date;
  if (!read_imf(value, date) && !read_rfc850(value, now_s, date) && !read_asctime(value, date))
    return std::nullopt;
  return seconds_since_epoch(date);
}

std::optional<Duration> parse_retry_after(std::string_view value, std::int64_t now_s,
                                          Duration most) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && is_space(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
  if (value.empty()) return std::nullopt;

  std::int64_t delay_s = 0;
  if (std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), delay_s);
    if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  } else {
    const std::optional<std::int64_t> at = parse_http_date(value, now_s);
    if (!at) return std::nullopt;
    delay_s = std::max<std::int64_t>(0, *at - now_s);
  }
  return std::chrono::seconds(std::min<std::int64_t>(delay_s, most / 1s));
}

}  // namespace core
