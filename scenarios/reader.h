// Reads a scenario file strictly: an unknown key, a wrong type or a value out of range is refused
// with its file, its line, what is wrong and what would be right. There are no fractions in a
// scenario.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document.h"
#include "scenarios/scenario.h"

namespace scenarios {

// What the command line lays over a file; checked as the file is, but named by its `--set`
// argument.
struct Overrides {
  std::vector<std::string> settings;  // "key=value", see apply_setting()
  std::optional<std::uint64_t> seed;
};

// `file` is only named, in messages and as Scenario::file; the scenario's name is its file name
// without .toml.
std::expected<Scenario, ReadError> parse_scenario(std::string_view text, const std::string& file,
                                                  const Overrides& overrides = {});

// Blocks on the file system. Errors: also a file that can't be read.
std::expected<Scenario, ReadError> read_scenario(const std::filesystem::path& file,
                                                 const Overrides& overrides = {});

}  // namespace scenarios
