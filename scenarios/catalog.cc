#include "scenarios/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "scenarios/nearest.h"

namespace scenarios {
namespace fs = std::filesystem;

fs::path catalog_folder() {
  const char* given = std::getenv("SENDPROOF_SCENARIOS");
  return given && *given ? fs::path(given) : fs::path(SENDPROOF_SCENARIOS_FOLDER);
}

std::expected<std::vector<std::string>, ReadError> scenario_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  if (names.empty())
    return refuse(Place{folder.string(), 0},
                  fmt::format("no scenarios here{}{}; SENDPROOF_SCENARIOS can name their folder",
                              error ? ": " : "", error ? error.message() : ""));
  std::ranges::sort(names);
  return names;
}

std::expected<Scenario, ReadError> find_scenario(std::string_view name_or_path,
                                                 const Overrides& overrides,
                                                 const fs::path& folder) {
  if (name_or_path.contains('/') || name_or_path.ends_with(".toml"))
    return read_scenario(name_or_path, overrides);
  const auto names = scenario_names(folder);
  if (!names) return std::unexpected(names.error());
  if (std::ranges::find(*names, name_or_path) == names->end())
    return refuse(Place{}, fmt::format("no scenario is named \"{}\"; {}", name_or_path,
                                       suggestion(name_or_path, *names)));
  return read_scenario(folder / fmt::format("{}.toml", name_or_path), overrides);
}

}  // namespace scenarios
