// The scenarios that can be run by name: every NAME.toml of one folder. The folder is this source
// folder, or the one that the environment variable SENDPROOF_SCENARIOS names.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/reader.h"

namespace scenarios {

std::filesystem::path catalog_folder();

// Returns: the names of the folder's scenarios, ascending. Errors: there is no such folder, or no
// scenario in it.
std::expected<std::vector<std::string>, ReadError> scenario_names(
    const std::filesystem::path& folder);

// `name_or_path`: a scenario's name, or a path, which has a slash or ends in .toml.
// Errors: no such scenario (with the nearest name), and everything that read_scenario() refuses.
std::expected<Scenario, ReadError> find_scenario(
    std::string_view name_or_path, const Overrides& overrides = {},
    const std::filesystem::path& folder = catalog_folder());

}  // namespace scenarios
