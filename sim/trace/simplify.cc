#include "sim/trace/simplify.h"

#include <algorithm>
#include <array>

#include "sim/trace/settings_text.h"

namespace sim {
namespace {

// What the world is about, and sizes whose usual values are larger.
constexpr std::array<std::string_view, 9> kept{"name",         "bug",          "dropped",
                                               "ignored",      "members",      "workers",
                                               "policy.batch", "policy.lanes", "policy.rate_per_s"};

bool is_kept(std::string_view key) {
  return key.starts_with("worker.") || std::ranges::find(kept, key) != kept.end();
}

// Returns: whether anything is plainer now.
bool make_usual_what_can_be(Shrunk& best, Oracle oracle) {
  bool plainer = false;
  for (const std::string& key : unusual_settings(best.settings)) {
    if (is_kept(key)) continue;
    WorldSettings settings = best.settings;
    make_usual(settings, key);
    Replay tried = replay(settings, best.deviations);
    ++best.replays;
    if (!tried.verdict || tried.verdict->oracle != oracle) continue;
    if (tried.made.size() > best.deviations.size()) continue;
    best.settings = std::move(settings);
    best.deviations = std::move(tried.made);
    plainer = true;
  }
  return plainer;
}

}  // namespace

Shrunk simplify(const WorldSettings& settings, const std::vector<Deviation>& deviations,
                Oracle oracle) {
  Shrunk best = shrink(settings, deviations, oracle);
  while (make_usual_what_can_be(best, oracle)) {
    const std::int64_t replays = best.replays;
    best = shrink(std::move(best.settings), std::move(best.deviations), oracle);
    best.replays += replays;
  }
  return best;
}

}  // namespace sim
