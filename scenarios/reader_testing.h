// Scenario texts for tests of the reader.
#pragma once

#include <string>

#include "scenarios/reader.h"

namespace scenarios {

inline const std::string kTitle = "title = \"t\"\n";

// Requires: it can be read.
inline Scenario read(const std::string& text, const Overrides& overrides = {}) {
  return parse_scenario(text, "folder/a.toml", overrides).value();
}

// What is said of `text`, which follows a title on line 1; "accepted" when nothing is.
inline std::string refusal(const std::string& text) {
  const auto parsed = parse_scenario(kTitle + text, "a.toml");
  return parsed ? "accepted" : parsed.error().message();
}

}  // namespace scenarios
