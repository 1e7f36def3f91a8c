// One setting of a world as a word: how it is written and read. number(), duration(), seed() and
// yes_or_no() make those of one value, `of` being its place; settings_lists.cc has the others.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/trace/refusal.h"
#include "sim/world/settings.h"

namespace sim::setting {

using Read = std::expected<void, Refusal>;

struct Field {
  std::string key;
  std::function<std::string(const WorldSettings&)> write;
  std::function<Read(WorldSettings&, std::string_view)> read;
};

// Without `what`, which set() fills in.
inline std::unexpected<Refusal> refused(std::string right) {
  return std::unexpected(Refusal{.what = {}, .right = std::move(right), .word = {}, .known = {}});
}

// [least, most], of what a world can be built with.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

inline Read read_whole(std::string_view text, Range range, std::int64_t& value) {
  std::int64_t read = 0;
  if (!parse(text, read) || read < range.least || read > range.most)
    return refused("it is a whole number from " + std::to_string(range.least) + " to " +
                   std::to_string(range.most));
  value = read;
  return {};
}

// `of` returns a reference into the settings that it is given.
template <class Of>
Field number(std::string key, Of of, Range range = {}) {
  using Value = std::remove_cvref_t<decltype(of(std::declval<WorldSettings&>()))>;
  range.most = std::min<std::int64_t>(
      range.most, sizeof(Value) < 8 ? std::numeric_limits<Value>::max() : range.most);
  return {std::move(key), [of](const WorldSettings& s) { return std::to_string(of(s)); },
          [of, range](WorldSettings& s, std::string_view text) -> Read {
            std::int64_t value = 0;
            if (auto done = read_whole(text, range, value); !done) return done;
            of(s) = static_cast<Value>(value);
            return {};
          }};
}

template <class Of>
Field duration(const std::string& key, Of of) {
  return {key + "_us", [of](const WorldSettings& s) { return std::to_string(of(s).count()); },
          [of](WorldSettings& s, std::string_view text) -> Read {
            std::int64_t value = 0;
            // Sums of a few must not overflow.
            if (auto done = read_whole(text, {0, 1'000'000'000'000'000}, value); !done) return done;
            of(s) = core::Duration(value);
            return {};
          }};
}

template <class Of>
Field seed(std::string key, Of of) {
  return {std::move(key), [of](const WorldSettings& s) { return std::to_string(of(s)); },
          [of](WorldSettings& s, std::string_view text) -> Read {
            std::uint64_t value = 0;
            if (!parse(text, value))
              return refused("it is a whole number from 0 to 18446744073709551615");
            of(s) = value;
            return {};
          }};
}

template <class Of>
Field yes_or_no(std::string key, Of of) {
  return {std::move(key), [of](const WorldSettings& s) { return of(s) ? "yes" : "no"; },
          [of](WorldSettings& s, std::string_view text) -> Read {
            if (text != "yes" && text != "no") return refused("it is yes or no");
            of(s) = text == "yes";
            return {};
          }};
}

// Of lists and names.
Field rules();
Field latency();
Field dropped();
Field ignored();
Field bug();
Field name();

}  // namespace sim::setting
