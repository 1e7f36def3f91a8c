#include "harness/counting/sender_line.h"

#include <nlohmann/json.hpp>

namespace harness {

using nlohmann::json;

namespace {

std::int64_t integer(const json& object, const char* key, std::int64_t otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                             : otherwise;
}

}  // namespace

std::optional<SenderLine> read_sender_line(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  const auto event = object.find("event");
  if (event == object.end() || !event->is_string()) return std::nullopt;
  SenderLine line;
  if (*event == "started") {
    line.kind = SenderLine::Kind::started;
  } else if (*event == "read") {
    line.kind = SenderLine::Kind::read;
  } else if (*event == "waiting") {
    line.kind = SenderLine::Kind::waiting;
    line.until_us = integer(object, "until_us", 0);
    line.holding = integer(object, "holding", 0);
  } else if (*event == "working") {
    line.kind = SenderLine::Kind::working;
  } else if (*event == "finished") {
    line.kind = SenderLine::Kind::finished;
    line.db_us = integer(object, "db_us", -1);
    const auto report = object.find("report");
    if (report != object.end() && report->is_object())
      line.stale_writes = integer(*report, "stale_writes", 0);
  } else {
    return std::nullopt;
  }
  return line;
}

}  // namespace harness
