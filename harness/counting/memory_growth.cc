#include "harness/counting/memory_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace harness {

void note_memory_growth(std::vector<reports::SenderResult>& results, std::string_view what,
                        std::int64_t floor_bytes) {
  std::map<std::string, std::vector<reports::SenderResult*>> by_sender;
  for (auto& result : results) by_sender[result.sender].push_back(&result);
  for (auto& [sender, sizes] : by_sender) {
    const auto [smallest, largest] =
        std::ranges::minmax(sizes, {}, &reports::SenderResult::members);
    const std::int64_t more = largest->members - smallest->members;
    if (more <= 0) continue;
    const std::int64_t growth = largest->peak_rss_bytes - smallest->peak_rss_bytes;
    largest->notes.push_back(fmt::format(
        "{} {} KiB at {} members, {} KiB at {}: {:+} KiB, {} bytes a member", what,
        smallest->peak_rss_bytes / 1024, smallest->members, largest->peak_rss_bytes / 1024,
        largest->members, growth / 1024, growth / more));
    if (const std::int64_t each = growth / more; each > 0) {
      const auto fits = [&](std::int64_t mib) {
        return smallest->members + (mib * 1024 * 1024 - smallest->peak_rss_bytes) / each;
      };
      largest->notes.push_back(fmt::format(
          "at this slope a limit of 256 MiB holds {} members, 1 GiB {}", fits(256), fits(1024)));
    }
    if (floor_bytes > 0)
      largest->notes.push_back(
          fmt::format("least {} that can be seen: {} KiB", what, floor_bytes / 1024));
  }
}

}  // namespace harness
