#include "scenarios/table_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/nearest.h"

namespace scenarios {
namespace {

std::string range_text(Range range) {
  if (range.most == INT64_MAX) return fmt::format("an integer from {}", range.least);
  return fmt::format("an integer from {} to {}", range.least, range.most);
}

}  // namespace

void FirstError::report(const Place& place, std::string what) {
  if (!error_) error_ = ReadError{place, std::move(what)};
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::integer:
      return fmt::format("{}", value.integer);
    case Value::Kind::boolean:
      return value.boolean ? "true" : "false";
    case Value::Kind::text:
      return value.text.size() > 60 ? fmt::format("\"{}...\"", value.text.substr(0, 57))
                                    : fmt::format("\"{}\"", value.text);
    case Value::Kind::list:
      return fmt::format("a list of {}", value.items.size());
    case Value::Kind::fraction:
    case Value::Kind::date_time:
    case Value::Kind::table:
      return std::string(value.kind_name());
  }
  return "";
}

std::optional<std::int64_t> read_integer(const Value& value, std::string_view name, Range range,
                                         FirstError& errors) {
  if (value.kind == Value::Kind::integer && value.integer >= range.least &&
      value.integer <= range.most)
    return value.integer;
  errors.report(value.place,
                fmt::format("{} must be {}, not {}", name, range_text(range), describe(value)));
  return std::nullopt;
}

TableReader::TableReader(const Value& value, std::string name, FirstError& errors)
    : table_(value), name_(std::move(name)), errors_(errors) {
  if (value.kind != Value::Kind::table)
    errors_.report(value.place, fmt::format("{} must be a table, not {}", name_, describe(value)));
}

std::string TableReader::full(const std::string& key) const {
  const std::size_t first = name_.find_first_not_of('[');
  if (first == std::string::npos) return key;
  return name_.substr(first, name_.find_last_not_of(']') + 1 - first) + "." + key;
}

const Value* TableReader::value(const std::string& key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
  const Entry* entry = table_.find(key);
  return entry ? &entry->value : nullptr;
}

void TableReader::integer(const std::string& key, Range range, std::int64_t& out) {
  if (const Value* found = value(key))
    if (const auto read = read_integer(*found, full(key), range, errors_)) out = *read;
}

void TableReader::integer(const std::string& key, Range range, int& out) {
  std::int64_t wide = out;
  integer(key, range, wide);
  out = static_cast<int>(wide);
}

void TableReader::microseconds(const std::string& key, Range range, core::Duration& out) {
  std::int64_t count = out.count();
  integer(key, range, count);
  out = core::Duration(count);
}

void TableReader::seconds(const std::string& key, Range range, core::Duration& out) {
  std::int64_t count = out / std::chrono::seconds(1);
  integer(key, range, count);
  out = std::chrono::seconds(count);
}

void TableReader::flag(const std::string& key, bool& out) {
  const Value* found = value(key);
  if (!found) return;
  if (found->kind == Value::Kind::boolean)
    out = found->boolean;
  else
    errors_.report(found->place,
                   fmt::format("{} must be true or false, not {}", full(key), describe(*found)));
}

void TableReader::text(const std::string& key, std::string& out) {
  const Value* found = value(key);
  if (!found) return;
  if (found->kind == Value::Kind::text)
    out = found->text;
  else
    errors_.report(found->place,
                   fmt::format("{} must be a text in quotes, not {}", full(key), describe(*found)));
}

void TableReader::texts(const std::string& key, std::vector<std::string>& out) {
  const Value* found = value(key);
  if (!found) return;
  const auto is_text = [](const Value& one) { return one.kind == Value::Kind::text; };
  if (found->kind != Value::Kind::list || !std::ranges::all_of(found->items, is_text)) {
    errors_.report(found->place,
                   fmt::format("{} must be a list of texts, like [\"sender.lanes=8\"], "
                               "not {}",
                               full(key), describe(*found)));
    return;
  }
  out.clear();
  for (const Value& one : found->items) out.push_back(one.text);
}

void TableReader::integers(const std::string& key, Range range, std::vector<std::int64_t>& out) {
  const Value* found = value(key);
  if (!found) return;
  if (found->kind != Value::Kind::list) {
    errors_.report(found->place, fmt::format("{} must be a list of integers, like [2, 3], not {}",
                                             full(key), describe(*found)));
    return;
  }
  out.clear();
  for (const Value& one : found->items) {
    const auto read = read_integer(one, full(key), range, errors_);
    if (read) out.push_back(*read);
  }
}

void TableReader::table(const std::string& key, const std::function<void(TableReader&)>& read) {
  const Value* found = value(key);
  if (!found) return;
  TableReader inner(*found, fmt::format("[{}]", full(key)), errors_);
  read(inner);
  inner.finish();
}

void TableReader::tables(const std::string& key, const std::function<void(TableReader&)>& read) {
  const Value* found = value(key);
  if (!found) return;
  const std::string title = fmt::format("[[{}]]", full(key));
  if (found->kind != Value::Kind::list) {
    errors_.report(found->place, fmt::format("{} must be written {}, not as {}", full(key), title,
                                             describe(*found)));
    return;
  }
  for (const Value& item : found->items) {
    TableReader inner(item, title, errors_);
    read(inner);
    inner.finish();
  }
}

void TableReader::require(const std::string& key, std::string example) {
  required_[key] = std::move(example);
}

void TableReader::finish() {
  for (const Entry& entry : table_.entries)
    if (std::ranges::find(known_, entry.key) == known_.end())
      errors_.report(entry.place, fmt::format("unknown key \"{}\"{}; {}", entry.key,
                                              name_.empty() ? "" : " in " + name_,
                                              suggestion(entry.key, known_)));
  for (const auto& [key, example] : required_)
    if (!table_.find(key))
      errors_.report(table_.place, fmt::format("{}{} is missing, like {}",
                                               name_.empty() ? "" : name_ + " ", key, example));
}

}  // namespace scenarios
