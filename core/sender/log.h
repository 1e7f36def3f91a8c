// Structured log: one JSON object a line on stdout, flushed. `at`, the time, comes last.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace core::sender {

// Log("waiting").number("until_us", 5).write();
//   ->  {"event":"waiting","until_us":5,"at":"2026-03-01T17:00:00.123Z"}
class Log {
 public:
  explicit Log(std::string_view event);
  Log& text(std::string_view name, std::string_view value);
  Log& number(std::string_view name, std::int64_t value);
  Log& object(std::string_view name, const std::string& json);
  void write();
  std::string json() const { return line_ + "}"; }

 private:
  void name(std::string_view name);
  std::string line_;
};

}  // namespace core::sender
