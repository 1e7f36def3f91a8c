#include "scenarios/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "scenarios/nearest.h"

namespace scenarios {
namespace {

// The words of `do`.
constexpr std::array<std::pair<std::string_view, Deed>, 8> kDeeds = {{
    {"freeze", Deed::freeze},
    {"kill", Deed::kill},
    {"stop", Deed::stop},
    {"continue", Deed::proceed},
    {"start", Deed::start},
    {"opt_out", Deed::opt_out},
    {"outage", Deed::outage},
    {"advance", Deed::advance},
}};

// Returns: the positive number that is all of `text`, or nothing.
std::optional<std::int64_t> positive(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

void read_when(TableReader& in, Event& out) {
  std::string when;
  in.text("when", when);
  in.require("when", "when = \"accept 6000\"");
  if (when.empty()) return;
  if (when == "read") {
    out.when = Moment::read;
    return;
  }
  const auto accept =
      when.starts_with("accept ") ? positive(std::string_view(when).substr(7)) : std::nullopt;
  if (!accept) {
    in.errors().report(
        in.value("when")->place,
        fmt::format("event.when must be \"accept N\" with N from 1, or \"read\", not \"{}\"",
                    when));
    return;
  }
  out.accept = *accept;
}

void read_deeds(TableReader& in, Event& out) {
  std::string written;
  in.text("do", written);
  in.require("do", "do = \"freeze|kill\"");
  std::vector<std::string> words;
  for (const auto& [word, deed] : kDeeds) words.emplace_back(word);
  if (const Value* given = in.value("do"); written.empty() && given != nullptr)
    in.errors().report(given->place, "event.do names no deed; write it like \"freeze|kill\"");
  for (std::string_view rest = written; !rest.empty();) {
    const std::size_t bar = rest.find('|');
    const std::string_view word = rest.substr(0, bar);
    const auto found = std::ranges::find(kDeeds, word, &std::pair<std::string_view, Deed>::first);
    const Place& place = in.value("do")->place;
    if (found == kDeeds.end())
      in.errors().report(
          place, fmt::format("event.do has no deed \"{}\"; {}", word, suggestion(word, words)));
    else if (std::ranges::find(out.deeds, found->second) != out.deeds.end())
      in.errors().report(place, fmt::format("event.do says \"{}\" twice; once is enough", word));
    else
      out.deeds.push_back(found->second);
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
    if (rest.empty())
      in.errors().report(place, "event.do ends in |; write it like \"freeze|kill\"");
  }
}

void read_who(TableReader& in, Event& out) {
  in.text("who", out.who);
  if (out.who == "owner" ||
      (out.who.starts_with('p') && positive(std::string_view(out.who).substr(1))))
    return;
  in.errors().report(
      in.value("who")->place,
      fmt::format("event.who must be \"owner\" or a process, \"p1\", \"p2\" ..., not \"{}\"",
                  out.who));
}

// A key that only some deeds use must be there with them and must not be without.
void belongs(TableReader& in, const std::string& key, bool wanted, std::string_view deeds,
             std::string example) {
  const Entry* entry = in.whole().find(key);
  if (wanted)
    in.require(key, std::move(example));
  else if (entry)
    in.errors().report(
        entry->place,
        fmt::format("event.{} belongs to {}, which this event doesn't do", key, deeds));
}

void read_expect(TableReader& in, Event& out) {
  std::string expect;
  in.text("expect", expect);
  out.expects_nothing = expect == "nothing";
  const Value* given = in.value("expect");
  if (given != nullptr && given->kind == Value::Kind::text && !out.expects_nothing)
    in.errors().report(
        given->place,
        fmt::format("event.expect must be \"nothing\", not {}; without it, a deed that changes "
                    "nothing makes the run inconclusive",
                    describe(*given)));
}

}  // namespace

std::string_view deed_name(Deed deed) {
  return std::ranges::find(kDeeds, deed, &std::pair<std::string_view, Deed>::second)->first;
}

Event read_event(TableReader& in) {
  Event out;
  read_when(in, out);
  read_deeds(in, out);
  read_who(in, out);
  read_expect(in, out);
  in.integer("first", {1, INT64_MAX / 2}, out.first);
  in.integer("count", {1, INT64_MAX / 2}, out.count);
  in.microseconds("lasts_us", {1, core::Duration(std::chrono::hours(24 * 30)).count()}, out.lasts);

  if (out.deeds.empty()) return out;  // refused already, or missing: nothing belongs to nothing
  const auto does = [&](Deed deed) {
    return std::ranges::find(out.deeds, deed) != out.deeds.end();
  };
  belongs(in, "first", does(Deed::opt_out), "opt_out", "first = 2300");
  belongs(in, "count", does(Deed::opt_out), "opt_out", "count = 250");
  belongs(in, "lasts_us", does(Deed::outage) || does(Deed::advance), "outage and advance",
          "lasts_us = 60000000");
  return out;
}

}  // namespace scenarios
