// A TOML document as a plain tree in which every key and value knows where it was written. It keeps
// toml++ in one file, and lets `--set` lay values over a file's so that both pass the same checks.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios {

// Where something was written: a file and a line, or the `--set` argument (line 0).
struct Place {
  std::string source;
  int line = 0;
  std::string text() const { return line > 0 ? source + ":" + std::to_string(line) : source; }
};

// One line for a person: where, what, and what would be right.
struct ReadError {
  Place place;
  std::string what;
  std::string message() const;
};

std::unexpected<ReadError> refuse(Place place, std::string what);

struct Entry;

struct Value {
  enum class Kind { integer, text, boolean, fraction, date_time, list, table };
  Kind kind = Kind::table;
  Place place;
  std::int64_t integer = 0;
  bool boolean = false;
  std::string text;
  std::vector<Value> items;    // of a list
  std::vector<Entry> entries;  // of a table, in the order of writing

  // Returns: the entry of that key, or null.
  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
  // For messages: "an integer", "a list" ...
  std::string_view kind_name() const;
};

struct Entry {
  std::string key;
  Place place;  // of the key
  Value value;
};

// Errors: malformed TOML, with its line.
std::expected<Value, ReadError> parse_document(std::string_view text, const std::string& source);

// Lays `setting`, "key=value" with a dotted key ("audience.members=500", "event[0].accept=3000",
// first is 0), over `root`. The value is TOML; what is no TOML is taken as text, so that
// `job.policy=forbid` needs no quotes. Whether the key exists is the reader's business. Errors: no
// "=", a path through something that is no table or beyond a list's end; `root` is then unchanged
// but for empty tables.
std::expected<void, ReadError> apply_setting(Value& root, std::string_view setting);

}  // namespace scenarios
