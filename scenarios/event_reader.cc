#include "scenarios/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include "scenarios/nearest.h"
#include "scenarios/statements.h"

namespace scenarios {
namespace {

// The words of `do`.
constexpr std::array<std::pair<std::string_view, Deed>, 13> kDeeds = {{
    {"freeze", Deed::freeze},
    {"kill", Deed::kill},
    {"stop", Deed::stop},
    {"continue", Deed::proceed},
    {"start", Deed::start},
    {"opt_out", Deed::opt_out},
    {"outage", Deed::outage},
    {"advance", Deed::advance},
    {"lose", Deed::lose},
    {"lose_answer", Deed::lose_answer},
    {"ghost", Deed::ghost},
    {"refuse", Deed::refuse},
    {"land", Deed::land},
}};
// What becomes of a statement: one of these.
constexpr std::array kFates = {Deed::lose, Deed::lose_answer, Deed::ghost, Deed::refuse};

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
  const Place& place = in.value("when")->place;
  const std::size_t space = when.find(' ');
  const std::string word = when.substr(0, space);
  const bool is_statement = std::ranges::find(kStatements, word) != kStatements.end();
  if (word != "accept" && !is_statement) {
    std::vector<std::string> words{"accept", "read"};
    words.insert(words.end(), kStatements.begin(), kStatements.end());
    in.errors().report(
        place, fmt::format("event.when has no moment \"{}\"; {}", word, suggestion(word, words)));
    return;
  }
  const auto number = space == std::string::npos
                          ? std::nullopt
                          : positive(std::string_view(when).substr(space + 1));
  if (!number) {
    in.errors().report(place, fmt::format("event.when must be \"{} N\" with N from 1{}, not \"{}\"",
                                          word, is_statement ? "" : ", or \"read\"", when));
    return;
  }
  if (!is_statement) {
    out.accept = *number;
    return;
  }
  out.when = Moment::statement;
  out.statement = word;
  out.nth = *number;
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

// A statement comes once, and one thing becomes of it.
void check_statement(TableReader& in, const Event& event, const std::vector<Event>& before) {
  if (event.does(Deed::ghost) && event.does(Deed::land))
    in.errors().report(
        in.value("do")->place,
        "event.do says \"ghost\" and \"land\": let it land at a later event, or leave "
        "\"land\" out: then it lands after this event's deeds");
  std::vector<Deed> fates;
  std::ranges::copy_if(kFates, std::back_inserter(fates), [&](Deed d) { return event.does(d); });
  if (event.when != Moment::statement) {
    if (!fates.empty() && in.value("when") != nullptr)
      in.errors().report(
          in.value("do")->place,
          fmt::format("event.do says \"{}\", which befalls a statement: write when = "
                      "\"record_batch 31\"",
                      deed_name(fates.front())));
    return;
  }
  if (fates.size() > 1)
    in.errors().report(
        in.value("do")->place,
        fmt::format("event.do says \"{}\" and \"{}\": one thing becomes of a statement",
                    deed_name(fates[0]), deed_name(fates[1])));
  const auto same = [&](const Event& other) {
    return other.when == Moment::statement && other.statement == event.statement &&
           other.nth == event.nth;
  };
  if (std::ranges::any_of(before, same))
    in.errors().report(in.value("when")->place,
                       fmt::format("event.when says \"{}\" a second time; join the deeds by a bar, "
                                   "like \"lose_answer|kill\"",
                                   text_of_moment(event)));
}

}  // namespace

std::string_view deed_name(Deed deed) {
  return std::ranges::find(kDeeds, deed, &std::pair<std::string_view, Deed>::second)->first;
}

std::string text_of_moment(const Event& event) {
  switch (event.when) {
    case Moment::accept:
      return fmt::format("accept {}", event.accept);
    case Moment::read:
      return "read";
    case Moment::statement:
      return fmt::format("{} {}", event.statement, event.nth);
  }
  return {};
}

void check_ghosts(TableReader& whole, const std::vector<Event>& events) {
  if (std::ranges::any_of(events, [](const Event& event) { return event.does(Deed::ghost); }))
    return;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].does(Deed::land))
      whole.errors().report(whole.value("event")->items[i].place,
                            "event.do says \"land\", and no event of the scenario does \"ghost\"");
}

Event read_event(TableReader& in, const std::vector<Event>& before) {
  Event out;
  read_when(in, out);
  read_deeds(in, out);
  check_statement(in, out, before);
  read_who(in, out);
  read_expect(in, out);
  in.integer("first", {1, INT64_MAX / 2}, out.first);
  in.integer("count", {1, INT64_MAX / 2}, out.count);
  in.microseconds("lasts_us", {1, core::Duration(std::chrono::hours(24 * 30)).count()}, out.lasts);

  if (out.deeds.empty()) return out;  // refused already, or missing: nothing belongs to nothing
  belongs(in, "first", out.does(Deed::opt_out), "opt_out", "first = 2300");
  belongs(in, "count", out.does(Deed::opt_out), "opt_out", "count = 250");
  belongs(in, "lasts_us", out.does(Deed::outage) || out.does(Deed::advance), "outage and advance",
          "lasts_us = 60000000");
  return out;
}

}  // namespace scenarios
