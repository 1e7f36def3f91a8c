// What a world is made of, as words `key=value`: one table of all settings serves writing and
// reading, so that neither can forget one.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/refusal.h"
#include "sim/world/settings.h"

namespace sim {

// Returns: what differs from WorldSettings(), in the table's order, parted by blanks; durations in
// microseconds. Blanks in a name become '_'.
std::string to_text(const WorldSettings& settings);

// Sets one. Nothing is changed by a refusal.
std::expected<void, Refusal> set(WorldSettings& settings, std::string_view key,
                                 std::string_view value);

// The keys of what differs from WorldSettings(), and one of them as it is there.
std::vector<std::string> unusual_settings(const WorldSettings& settings);
void make_usual(WorldSettings& settings, std::string_view key);

// Of the planted bugs, and of the parts of statements (conjunct.h), that a trace may name.
std::vector<std::string> bug_names();
std::vector<std::string> part_names();

}  // namespace sim
