// Reads one TOML table strictly. Each call names a key that the table may have; finish() then
// refuses every other. Only the first error of a document is kept: a person mends one and tries
// again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "scenarios/document.h"

namespace scenarios {

struct Range {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
};

class FirstError {
 public:
  void report(const Place& place, std::string what);
  const std::optional<ReadError>& get() const { return error_; }

 private:
  std::optional<ReadError> error_;
};

// For messages: 500, "abc", true, a list of 3, a fraction ...
std::string describe(const Value& value);

// Returns: the integer in `range`, or nothing after reporting that `name` must be one.
std::optional<std::int64_t> read_integer(const Value& value, std::string_view name, Range range,
                                         FirstError& errors);

class TableReader {
 public:
  // `name` is as written in messages: "[audience]", "[[provider.rule]]"; "" for the document
  // itself. Reports a `value` that is no table. `value` and `errors` must outlive the reader.
  TableReader(const Value& value, std::string name, FirstError& errors);

  // Each leaves `out` as it was when the key is absent or wrong (wrong is reported).
  void integer(const std::string& key, Range range, std::int64_t& out);
  void integer(const std::string& key, Range range, int& out);  // range within int
  void microseconds(const std::string& key, Range range, core::Duration& out);
  void seconds(const std::string& key, Range range, core::Duration& out);
  void flag(const std::string& key, bool& out);
  void texts(const std::string& key, std::vector<std::string>& out);
  void integers(const std::string& key, Range range, std::vector<std::int64_t>& out);
  void text(const std::string& key, std::string& out);

  // Returns: the value of a key that the caller reads by itself, or null.
  const Value* value(const std::string& key);
  void table(const std::string& key, const std::function<void(TableReader&)>& read);
  void tables(const std::string& key, const std::function<void(TableReader&)>& read);

  // `key` must be present; `example` shows a right one. Reported by finish(), after unknown keys,
  // since a misspelt key is also a missing one.
  void require(const std::string& key, std::string example);
  void finish();

  const Value& whole() const { return table_; }
  const std::string& name() const { return name_; }
  FirstError& errors() { return errors_; }

 private:
  std::string full(const std::string& key) const;

  const Value& table_;
  std::string name_;
  FirstError& errors_;
  std::vector<std::string> known_;
  std::map<std::string, std::string> required_;
};

}  // namespace scenarios
