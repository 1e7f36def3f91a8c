#include "sim/world/move.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sim {
namespace {

constexpr std::array<std::string_view, command_count> command_names{
    "plan",           "claim_batch",    "claim_retries", "read_back",
    "reserve_slots",  "recheck",        "record_batch",  "record_retries",
    "pause",          "sweep",          "count_totals",  "skip_stale",
    "send",           "answer",         "time",          "late_request",
    "late_statement", "commit",         "kill",          "freeze",
    "stop",           "start",          "opt_out",       "outage",
    "clock_jump",     "database_crash", "add_member",    "withdraw_opt_out",
    "pause_campaign", "resume_campaign"};
constexpr std::array<std::string_view, choice_count> choice_names{
    "done",         "lost",      "lost_done", "undone",     "ghost",       "held",
    "slow",         "never",     "silent",    "reset",      "unconnected", "unavailable",
    "accepted_503", "throttled", "brief",     "past_lease", "little"};

char subject_mark(Command command) {
  if (command == Command::late_statement) return 's';
  return command == Command::record_batch ? 'b' : 'm';
}

std::string_view word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

bool parse_number(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool parse_actor(std::string_view text, int& actor) {
  std::int64_t number = 0;
  if (text == "env") {
    actor = environment;
    return true;
  }
  if (!text.starts_with('w') || !parse_number(text.substr(1), number)) return false;
  if (number < 1 || number > 1000) return false;
  actor = static_cast<int>(number) - 1;
  return true;
}

template <class Enum, std::size_t size>
std::optional<Enum> named(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view text_of(Command command) {
  return command_names.at(static_cast<std::size_t>(command));
}
std::string_view text_of(Choice choice) {
  return choice_names.at(static_cast<std::size_t>(choice));
}
std::optional<Command> command_named(std::string_view name) {
  return named<Command>(command_names, name);
}
std::optional<Choice> choice_named(std::string_view name) {
  return named<Choice>(choice_names, name);
}

std::string to_text(const Move& move) {
  std::string text = move.actor == environment ? "env" : "w" + std::to_string(move.actor + 1);
  text += ' ';
  text += text_of(move.command);
  text += ' ';
  text += move.subject == 0 ? "-" : subject_mark(move.command) + std::to_string(move.subject);
  text += ' ';
  text += text_of(move.choice);
  if (move.value != 0) text += "=" + std::to_string(move.value);
  return text;
}

std::optional<Move> move_of(std::string_view text) {
  Move move;
  if (!parse_actor(word(text), move.actor)) return std::nullopt;
  const auto command = command_named(word(text));
  if (!command) return std::nullopt;
  move.command = *command;
  const std::string_view subject = word(text);
  if (subject != "-" && (!subject.starts_with(subject_mark(move.command)) ||
                         !parse_number(subject.substr(1), move.subject)))
    return std::nullopt;
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto choice = choice_named(text.substr(0, equals));
  if (!choice) return std::nullopt;
  move.choice = *choice;
  if (equals < text.size() && !parse_number(text.substr(equals + 1), move.value))
    return std::nullopt;
  return move;
}

}  // namespace sim
