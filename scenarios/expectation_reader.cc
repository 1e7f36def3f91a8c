#include "scenarios/expectation_reader.h"

#include <fmt/format.h>

#include <charconv>

#include "scenarios/fields.h"
#include "scenarios/nearest.h"

namespace scenarios {
namespace {

constexpr std::string_view kFormsOfOne = "write 0, \"<= 200\" or \">= 300\"";

// "<= 200": nothing when it is not of that form.
std::optional<Expectation> read_relation(std::string_view text) {
  Expectation out;
  if (text.starts_with("<="))
    out.relation = Relation::at_most;
  else if (text.starts_with(">="))
    out.relation = Relation::at_least;
  else
    return std::nullopt;
  text.remove_prefix(2);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t bound = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound);
  if (error != std::errc{} || end != text.data() + text.size() || bound < 0) return std::nullopt;
  out.values = {bound};
  return out;
}

std::vector<std::string> field_names() {
  std::vector<std::string> out;
  for (const Field field : kAllFields) out.emplace_back(field_name(field));
  return out;
}

}  // namespace

std::optional<Expectation> read_expectation(const Entry& entry, const std::string& table,
                                            FirstError& errors) {
  const auto field = find_field(entry.key);
  if (!field) {
    errors.report(entry.place, fmt::format("unknown field \"{}\" in {}; {}", entry.key, table,
                                           suggestion(entry.key, field_names())));
    return std::nullopt;
  }
  const Value& value = entry.value;
  std::optional<Expectation> out;
  if (*field == Field::exit_codes) {
    const bool is_list = value.kind == Value::Kind::list && !value.items.empty();
    if (!is_list) {
      errors.report(
          value.place,
          fmt::format("exit_codes must be a list in the order of ending, like [137, 0], not {}",
                      describe(value)));
      return std::nullopt;
    }
    out.emplace();
    for (const Value& item : value.items) {
      const auto code = read_integer(item, "an exit code", {0, 255}, errors);
      if (!code) return std::nullopt;
      out->values.push_back(*code);
    }
  } else if (value.kind == Value::Kind::integer && value.integer >= 0) {
    out.emplace();
    out->values = {value.integer};
  } else if (value.kind == Value::Kind::text) {
    out = read_relation(value.text);
  }
  if (!out) {
    errors.report(value.place,
                  fmt::format("{} can't be {}; {}", entry.key, describe(value), kFormsOfOne));
    return std::nullopt;
  }
  out->field = entry.key;
  out->line = entry.place.line;
  return out;
}

}  // namespace scenarios
