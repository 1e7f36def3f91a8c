#include "scenarios/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace scenarios {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// Optimal string alignment distance (Damerau 1964, restricted: no part is edited twice).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchange = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + exchange});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  // A pasted page is no misspelt word; it would only cost time.
  if (word.size() > 200) return std::nullopt;
  const std::string wanted = lower(word);
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : known) {
    const std::size_t found = distance(wanted, lower(candidate));
    if (!best || found < best_distance) {
      best = candidate;
      best_distance = found;
    }
  }
  if (best && best_distance * 2 > std::max(best->size(), wanted.size())) return std::nullopt;
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (const auto meant = nearest(word, known)) return fmt::format("did you mean \"{}\"?", *meant);
  constexpr std::size_t listed_most = 60;
  std::string listed;
  std::size_t shown = 0;
  for (; shown < known.size(); ++shown) {
    const std::string next = (shown == 0 ? "" : ", ") + known[shown];
    if (shown > 0 && listed.size() + next.size() > listed_most) break;
    listed += next;
  }
  const std::size_t more = known.size() - shown;
  return fmt::format("known here: {}{}", listed,
                     more > 0 ? fmt::format(" and {} more", more) : std::string());
}

}  // namespace scenarios
