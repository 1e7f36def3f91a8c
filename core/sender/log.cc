#include "core/sender/log.h"

#include <cstdio>

#include "core/json_text.h"
#include "core/os/process.h"

namespace core::sender {

Log::Log(std::string_view event) : line_("{") {
  if (!event.empty()) text("event", event);
}

void Log::name(std::string_view name) {
  if (line_.size() > 1) line_ += ',';
  line_ += json_string(name);
  line_ += ':';
}

Log& Log::text(std::string_view name_text, std::string_view value) {
  name(name_text);
  line_ += json_string(value);
  return *this;
}

Log& Log::number(std::string_view name_text, std::int64_t value) {
  name(name_text);
  line_ += std::to_string(value);
  return *this;
}

Log& Log::object(std::string_view name_text, const std::string& json) {
  name(name_text);
  line_ += json;
  return *this;
}

void Log::write() {
  text("at", os::utc_now());
  const std::string line = line_ + "}\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace core::sender
