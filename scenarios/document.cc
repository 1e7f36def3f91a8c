#include "scenarios/document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/one_line.h"

namespace scenarios {
namespace {

Place place_of(const toml::source_region& region, const std::string& source) {
  return {source, static_cast<int>(region.begin.line)};
}

Value convert(const toml::node& node, const std::string& source);

Value convert_table(const toml::table& table, const std::string& source) {
  Value out;
  out.kind = Value::Kind::table;
  for (const auto& [key, node] : table)
    out.entries.push_back(
        {std::string(key.str()), place_of(key.source(), source), convert(node, source)});
  // toml++ sorts by key; a reader of the message expects the order of the file.
  std::ranges::sort(out.entries, {}, [](const Entry& e) {
    return std::pair(e.place.line, std::string_view(e.key));
  });
  return out;
}

Value convert(const toml::node& node, const std::string& source) {
  Value out;
  if (const auto* table = node.as_table()) {
    out = convert_table(*table, source);
  } else if (const auto* list = node.as_array()) {
    out.kind = Value::Kind::list;
    for (const toml::node& item : *list) out.items.push_back(convert(item, source));
  } else if (const auto* integer = node.as_integer()) {
    out.kind = Value::Kind::integer;
    out.integer = integer->get();
  } else if (const auto* text = node.as_string()) {
    out.kind = Value::Kind::text;
    out.text = text->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = Value::Kind::boolean;
    out.boolean = boolean->get();
  } else {
    out.kind = node.is_floating_point() ? Value::Kind::fraction : Value::Kind::date_time;
  }
  out.place = place_of(node.source(), source);
  return out;
}

std::string one_line(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '\n', ' ');
  return out;
}

struct Step {  // "rule[1]" is {"rule", 1}
  std::string key;
  std::optional<std::size_t> index;
};

std::optional<Step> parse_step(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos)
    return text.empty() ? std::nullopt : std::optional(Step{std::string(text), {}});
  std::size_t index = 0;
  const char* first = text.data() + open + 1;
  const char* last = text.data() + text.size() - 1;
  if (open == 0 || text.back() != ']' || first == last) return std::nullopt;
  const auto [end, error] = std::from_chars(first, last, index);
  if (error != std::errc{} || end != last) return std::nullopt;
  return Step{std::string(text.substr(0, open)), index};
}

// Returns: the value that TOML makes of `text`, else `text` itself.
Value setting_value(std::string_view text, const Place& place) {
  Value out;
  const auto parsed = parse_document(fmt::format("value = {}", text), place.source);
  if (parsed && parsed->entries.size() == 1) {
    out = parsed->entries.front().value;
  } else {
    out.kind = Value::Kind::text;
    out.text = std::string(text);
  }
  return out;
}

void move_to(Value& value, const Place& place) {
  value.place = place;
  for (Value& item : value.items) move_to(item, place);
  for (Entry& entry : value.entries) {
    entry.place = place;
    move_to(entry.value, place);
  }
}

}  // namespace

// Keys and values are quoted in it as they were written, escapes resolved.
std::string ReadError::message() const {
  return core::on_one_line(place.source.empty() ? what : place.text() + ": " + what);
}

std::unexpected<ReadError> refuse(Place place, std::string what) {
  return std::unexpected(ReadError{std::move(place), std::move(what)});
}

const Entry* Value::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

Entry* Value::find(std::string_view key) {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

std::string_view Value::kind_name() const {
  switch (kind) {
    case Kind::integer:
      return "an integer";
    case Kind::text:
      return "a text";
    case Kind::boolean:
      return "true or false";
    case Kind::fraction:
      return "a fraction";
    case Kind::date_time:
      return "a date or time";
    case Kind::list:
      return "a list";
    case Kind::table:
      return "a table";
  }
  return "";
}

// toml++ goes one level deeper in its recursion for each part of a dotted key.
constexpr std::size_t line_bytes_max = 4096;

std::expected<Value, ReadError> parse_document(std::string_view text, const std::string& source) {
  int line = 1;
  for (std::string_view rest = text; !rest.empty(); ++line) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    if (length > line_bytes_max)
      return refuse({source, line},
                    fmt::format("a line of {} bytes; at most {}", length, line_bytes_max));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  try {
    return convert_table(toml::parse(text, source), source);
  } catch (const toml::parse_error& error) {
    return refuse(place_of(error.source(), source),
                  "this is not TOML: " + one_line(error.description()));
  }
}

std::expected<void, ReadError> apply_setting(Value& root, std::string_view setting) {
  const Place place{fmt::format("--set {}", setting), 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return refuse(place, "expected key=value, like audience.members=500");

  Value* at = &root;
  std::string_view path = setting.substr(0, equals);
  std::string walked;
  for (bool last = false; !last;) {
    const std::size_t dot = path.find('.');
    last = dot == std::string_view::npos;
    const auto step = parse_step(path.substr(0, dot));
    if (!step) return refuse(place, "expected a dotted key, like sender.lanes or event[0].when");
    if (!last) path.remove_prefix(dot + 1);
    if (at->kind != Value::Kind::table)
      return refuse(place, fmt::format("{} is {}, not a table{}", walked, at->kind_name(),
                                       at->kind == Value::Kind::list
                                           ? fmt::format("; its first entry is {}[0]", walked)
                                           : ""));
    walked += (walked.empty() ? "" : ".") + step->key;

    Entry* entry = at->find(step->key);
    if (!entry) entry = &at->entries.emplace_back(Entry{step->key, place, {}});
    if (last && !step->index) entry->place = place;
    at = &entry->value;
    if (step->index) {
      if (*step->index >= at->items.size())
        return refuse(place, fmt::format("{} has {} entries; the first is {}[0]", walked,
                                         at->items.size(), walked));
      at = &at->items[*step->index];
      walked += fmt::format("[{}]", *step->index);
    }
  }
  *at = setting_value(setting.substr(equals + 1), place);
  move_to(*at, place);
  return {};
}

}  // namespace scenarios
