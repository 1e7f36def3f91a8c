#include "harness/cli/bug_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/text_layout.h"
#include "sim/bugs/catalog.h"
#include "sim/trace/settings_text.h"

namespace harness::cli {
namespace {

constexpr std::size_t columns = 100;

std::vector<std::string> other_parts() {
  std::vector<std::string> parts = sim::part_names();
  std::erase_if(parts, [](const std::string& part) { return sim::find_bug(part) != nullptr; });
  return parts;
}

// The story stands in a column of its own.
std::string lines_of(const sim::PlantedBug& bug, std::size_t name_width) {
  constexpr std::size_t oracle_width = 9;
  const std::string head = reports::padded_right(bug.name, name_width) + "  " +
                           reports::padded_right(sim::text_of(bug.caught_by).name, oracle_width) +
                           "  ";
  const std::string story = reports::wrapped(bug.story, columns - head.size());
  std::string out;
  for (std::size_t first = 0; first < story.size();) {
    const std::size_t end = story.find('\n', first) + 1;
    out += (first == 0 ? head : std::string(head.size(), ' ')) + story.substr(first, end - first);
    first = end;
  }
  return out;
}

}  // namespace

Exit show_bugs(bool json, const Terminal& terminal) {
  if (json) {
    auto document = nlohmann::ordered_json::array();
    for (const sim::PlantedBug* bug : sim::all_bugs())
      document.push_back({{"name", bug->name},
                          {"oracle", sim::text_of(bug->caught_by).name},
                          {"story", bug->story}});
    for (const std::string& part : other_parts())
      document.push_back({{"name", part}, {"oracle", nullptr}, {"story", nullptr}});
    terminal.out << document.dump(2) << '\n' << std::flush;
    return Exit::holds;
  }
  std::size_t name_width = 0;
  for (const sim::PlantedBug* bug : sim::all_bugs())
    name_width = std::max(name_width, bug->name.size());
  for (const sim::PlantedBug* bug : sim::all_bugs()) terminal.out << lines_of(*bug, name_width);
  terminal.out << '\n'
               << reports::wrapped(
                      fmt::format("Parts of statements that may be left out too, and that no "
                                  "oracle is promised to miss: {}",
                                  fmt::join(other_parts(), ", ")),
                      columns)
               << std::flush;
  return Exit::holds;
}

}  // namespace harness::cli
