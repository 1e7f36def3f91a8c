// Reading one line. Every word is looked at, so that a refusal names the one that is wrong.
#include "sim/trace/trace_lines.h"

#include <algorithm>
#include <charconv>

#include "sim/trace/cell.h"
#include "sim/trace/settings_text.h"

namespace sim {
namespace {

std::unexpected<Refusal> refused(std::string what, std::string right) {
  return std::unexpected(Refusal{std::move(what), std::move(right), "", {}});
}
std::unexpected<Refusal> unknown(std::string what, std::string_view word,
                                 std::vector<std::string> known) {
  return std::unexpected(Refusal{std::move(what), "", std::string(word), std::move(known)});
}

// Two blanks in a row make an empty word, which nothing accepts.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t first = 0; first <= line.size();) {
    const std::size_t end = std::min(line.find(' ', first), line.size());
    words.push_back(line.substr(first, end - first));
    first = end + 1;
  }
  return words;
}

std::string in_quotes(std::string_view word) {
  return "\"" + std::string(word) + "\"";
}

template <class Number>
bool parse(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} && end == text.data() + text.size();
}

// A number as we write it: no sign, no zeros ahead.
bool parse_count(std::string_view text, std::int64_t& count) {
  return parse(text, count) && count > 0 && std::to_string(count) == text;
}

std::vector<std::string> commands() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < command_count; ++i)
    names.emplace_back(text_of(static_cast<Command>(i)));
  return names;
}

std::vector<std::string> choices(Command command) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < choice_count; ++i) {
    const auto choice = static_cast<Choice>(i);
    if (can_be(command, choice)) names.emplace_back(text_of(choice));
  }
  return names;
}

// Requires: four words.
std::expected<Move, Refusal> read_move(const std::vector<std::string_view>& words) {
  const auto command = command_named(words[1]);
  if (!command) return unknown("no step is named", words[1], commands());
  const std::string_view choice_word = words[3].substr(0, words[3].find('='));
  const auto choice = choice_named(choice_word);
  if (!choice || !can_be(*command, *choice))
    return unknown("a " + std::string(words[1]) + " has no choice", choice_word, choices(*command));
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : " ") + std::string(word);
  const auto move = move_of(text);
  const bool of_a_worker = words[0] != "env";
  if (of_a_worker != is_of_a_worker(*command))
    return refused(in_quotes(words[0]) + " doesn't " + std::string(words[1]),
                   is_of_a_worker(*command) ? "a worker does, like w1" : "env does");
  if (!move || to_text(*move) != text || move->subject < 0)
    return refused(in_quotes(text) + " is no step", "one is like \"w1 record_batch b2 done\"");
  if (move->choice == Choice::little ? move->value < 1 : move->value != 0)
    return refused(in_quotes(words[3]) + " is no length of time",
                   "only little has one, in microseconds, like little=500");
  return *move;
}

// "w1 claim_batch - #2", or "start".
std::expected<std::optional<Point>, Refusal> read_after(std::vector<std::string_view> words) {
  if (words.size() == 1 && words[0] == "start") return std::nullopt;
  std::int64_t count = 0;
  if (words.size() != 4 || !words[3].starts_with('#') || !parse_count(words[3].substr(1), count))
    return refused("what a deviation follows is wrong",
                   "it is like \"after w1 claim_batch - #2\" or \"after start\"");
  // How the earlier step went makes no difference: any choice that it has will do.
  const auto command = command_named(words[1]);
  words[3] = command == Command::freeze ? text_of(Choice::brief) : text_of(Choice::done);
  const auto move = read_move(words);
  if (!move) return std::unexpected(move.error());
  return Point{move->actor, move->command, move->subject, count - 1};
}

}  // namespace

std::expected<void, Refusal> read_schema(std::string_view line) {
  const auto words = words_of(line);
  if (words[0] != trace_magic)
    return refused("this is no trace", "its first word is " + std::string(trace_magic));
  const std::string schema = std::to_string(trace_schema);
  if (words.size() < 2 || words[1] != schema)
    return refused("a trace of schema " + in_quotes(words.size() < 2 ? "" : words[1]),
                   "this program reads schema " + schema + "; take the one that wrote it");
  return {};
}

std::expected<void, Refusal> read_head(std::string_view line, Trace& trace) {
  if (auto done = read_schema(line); !done) return done;
  const auto words = words_of(line);
  constexpr std::string_view statements = "statements=";
  if (words.size() < 3)
    return refused("the statements' hash is missing", "it is like statements=3f2a90bc");
  if (!words[2].starts_with(statements) || words[2].size() != statements.size() + 8)
    return refused(in_quotes(words[2]) + " is not the statements' hash",
                   "it is like statements=3f2a90bc");
  trace.statements = words[2].substr(statements.size());
  std::vector<std::string_view> seen;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string_view::npos)
      return refused(in_quotes(words[i]) + " is no setting", "one is key=value, like members=2");
    const std::string_view key = words[i].substr(0, equals);
    if (std::ranges::find(seen, key) != seen.end())
      return refused(in_quotes(key) + " is set twice", "each setting stands once");
    seen.push_back(key);
    const auto done = set(trace.settings, key, words[i].substr(equals + 1));
    if (!done) return std::unexpected(done.error());
  }
  return {};
}

std::expected<TracedStep, Refusal> read_step(std::string_view line) {
  auto words = words_of(line);
  TracedStep traced;
  traced.step.deviates = words[0] == "*";
  if (traced.step.deviates) words.erase(words.begin());
  if (words.size() < 5 || !parse_count(words[0], traced.number))
    return refused(in_quotes(line) + " is no step", "one is like \"7 w1 record_batch b2 done\"");
  const auto move = read_move({words.begin() + 1, words.begin() + 5});
  if (!move) return std::unexpected(move.error());
  traced.step.move = *move;
  if (!traced.step.deviates) {
    if (words.size() == 5) return traced;
    return refused("a default step has " + in_quotes(words[5]) + " too many",
                   "only a deviation, marked *, says what it follows");
  }
  if (words.size() < 7 || words[5] != "after")
    return refused("a deviation doesn't say what it follows",
                   "add \"after w1 claim_batch - #2\" or \"after start\"");
  const auto after = read_after({words.begin() + 6, words.end()});
  if (!after) return std::unexpected(after.error());
  traced.after = *after;
  return traced;
}

std::expected<Ending, Refusal> read_ending(std::string_view line) {
  const auto words = words_of(line);
  constexpr std::string_view shape = "it is like \"verdict S3 step=41 state=00c1ffee00c1ffee\"";
  if (words.size() != 4 || words[0] != "verdict")
    return refused("the verdict is wrong", std::string(shape));
  Ending ending;
  if (words[1] != "passed") {
    ending.broken = oracle_named(words[1]);
    std::vector<std::string> known{"passed"};
    for (std::size_t i = 0; i < oracle_count; ++i)
      known.emplace_back(text_of(static_cast<Oracle>(i)).name);
    if (!ending.broken) return unknown("no oracle is named", words[1], std::move(known));
  }
  constexpr std::string_view step = "step=", state = "state=";
  if (!words[2].starts_with(step) || !parse_count(words[2].substr(step.size()), ending.step) ||
      !words[3].starts_with(state) || words[3].size() != state.size() + 16 ||
      !parse(words[3].substr(state.size()), ending.state, 16))
    return refused("the verdict is wrong", std::string(shape));
  return ending;
}

}  // namespace sim
