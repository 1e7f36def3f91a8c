// Delta debugging (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002)
// over deviations instead of characters.
#include <algorithm>

#include "sim/schedule/schedule.h"

namespace sim {
namespace {

constexpr std::int64_t replays_max = 20'000;

class Shrinker {
 public:
  Shrinker(WorldSettings settings, std::vector<Deviation> deviations, Oracle oracle)
      : oracle_(oracle), best_{std::move(settings), std::move(deviations), 0} {}

  Shrunk run() {
    take(best_.settings, {});  // whatever happens, it fails
    std::size_t before = 0;
    do {
      before = best_.deviations.size();
      remove_chunks();
      simplify_settings();
    } while (best_.deviations.size() < before && best_.replays < replays_max);
    return std::move(best_);
  }

 private:
  // Takes the candidate if it still fails in the same way, with what was really made of it.
  bool take(const WorldSettings& settings, const std::vector<Deviation>& deviations) {
    ++best_.replays;
    Replay tried = replay(settings, deviations);
    if (!tried.verdict || tried.verdict->oracle != oracle_) return false;
    if (tried.made.size() > deviations.size()) return false;
    best_.settings = settings;
    best_.deviations = std::move(tried.made);
    return true;
  }

  // Those anchored on a removed one are anchored where it was.
  static std::vector<Deviation> without(const std::vector<Deviation>& all, std::size_t first,
                                        std::size_t count) {
    std::vector<Deviation> rest;
    std::vector<std::pair<Point, std::optional<Point>>> moved;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i < first || i >= first + count) {
        rest.push_back(all[i]);
        continue;
      }
      const Move& gone = all[i].move;
      moved.push_back({{gone.actor, gone.command, gone.subject, 0}, all[i].after});
    }
    for (auto& deviation : rest) {
      for (auto removed = moved.rbegin(); removed != moved.rend(); ++removed) {
        if (!deviation.after) break;
        Point anchor = *deviation.after;
        anchor.occurrence = 0;
        if (anchor == removed->first) deviation.after = removed->second;
      }
    }
    return rest;
  }

  void remove_chunks() {
    for (std::size_t size = std::max<std::size_t>(best_.deviations.size() / 2, 1); size >= 1;
         size /= 2) {
      for (std::size_t first = 0; first < best_.deviations.size();) {
        if (best_.replays >= replays_max) return;
        const bool gone = take(best_.settings, without(best_.deviations, first, size));
        if (!gone) first += size;
      }
      if (size == 1) break;
    }
  }

  void simplify_settings() {
    while (best_.settings.workers > 1) {
      WorldSettings fewer = best_.settings;
      --fewer.workers;
      if (!take(fewer, best_.deviations)) break;
    }
    while (best_.settings.members > 1) {
      WorldSettings fewer = best_.settings;
      --fewer.members;
      if (!take(fewer, best_.deviations)) break;
    }
  }

  Oracle oracle_;
  Shrunk best_;
};

}  // namespace

Shrunk shrink(WorldSettings settings, std::vector<Deviation> deviations, Oracle oracle) {
  return Shrinker(std::move(settings), std::move(deviations), oracle).run();
}

}  // namespace sim
