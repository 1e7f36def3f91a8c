// Any text as a scenario file: refused in one line that names a place, or a scenario that keeps to
// its bounds. Lines before the first that begin with --set are laid over it.
#include "core/assert.h"
#include "core/testing/fuzz.h"
#include "scenarios/reader.h"

namespace scenarios {
namespace {

Overrides taken_off(std::string_view& text) {
  constexpr std::string_view set = "--set ";
  Overrides overrides;
  while (text.starts_with(set)) {
    const std::string_view line = text.substr(0, text.find('\n'));
    overrides.settings.emplace_back(line.substr(set.size()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return overrides;
}

void is_one_line_of_a_place(const ReadError& error) {
  const std::string message = error.message();
  ASSERT(!error.what.empty() && !error.place.source.empty());
  ASSERT(message.find_first_of("\r\n") == std::string::npos);
}

void keeps_to_its_bounds(const Scenario& scenario) {
  ASSERT(scenario.name == "a" && !scenario.title.empty());
  ASSERT(!scenario.audience.members.empty());
  for (const std::int64_t members : scenario.audience.members) ASSERT(members >= 1);
  ASSERT(scenario.sender.processes >= 1 && scenario.sender.lanes >= 1);
  ASSERT(connections_at_most(scenario.sender) > 0);
  int permille = 0;
  for (const auto& share : scenario.provider.latency) permille += share.permille;
  ASSERT(scenario.provider.latency.empty() || permille == 1000);
  for (const Event& event : scenario.events) {
    ASSERT(!event.deeds.empty() || event.when == Moment::statement);
    ASSERT(!text_of_moment(event).empty() && event.lasts >= core::Duration(0));
  }
}

}  // namespace
}  // namespace scenarios

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scenarios;
  std::string_view text = core::testing::text_of(data, size);
  const Overrides overrides = taken_off(text);
  const auto scenario = parse_scenario(text, "folder/a.toml", overrides);
  if (scenario) {
    keeps_to_its_bounds(*scenario);
  } else {
    is_one_line_of_a_place(scenario.error());
  }
  return 0;
}
