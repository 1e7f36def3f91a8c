#include "sim/world/outage_watch.h"

#include <algorithm>

#include "core/answer.h"
#include "core/weather.h"

namespace sim {
namespace {

constexpr std::int64_t probes_to_doubt_the_weather = 4;

}  // namespace

void OutageWatch::hear(core::MemberId member, core::Token claim, const core::SendAnswer& answer,
                       bool known) {
  ++heard_;
  if (!core::is_bad_weather(core::classify(answer))) {
    bad_in_a_row_.clear();
    spared_.clear();
    return;
  }
  known_ += known ? 1 : 0;
  bad_in_a_row_.push_back(member);
  if (bad_in_a_row_.size() > core::Weather::window) bad_in_a_row_.erase(bad_in_a_row_.begin());
  if (declared()) spared_.emplace_back(member, claim);
}

bool OutageWatch::declared() const {
  const auto row = static_cast<std::int64_t>(bad_in_a_row_.size());
  const auto looked_at = std::min<std::int64_t>(heard_, core::Weather::window);
  if (known_ >= probes_to_doubt_the_weather || 2 * row < looked_at) return false;
  std::vector<core::MemberId> members = bad_in_a_row_;
  std::sort(members.begin(), members.end());
  const auto distinct = std::unique(members.begin(), members.end()) - members.begin();
  return static_cast<std::size_t>(distinct) >= core::Weather::least;
}

bool OutageWatch::is_outage(core::MemberId member, core::Token claim) const {
  return std::find(spared_.begin(), spared_.end(), std::pair(member, claim)) != spared_.end();
}

void OutageWatch::describe(core::Digest& digest) const {
  digest.add(std::min<std::int64_t>(heard_, core::Weather::window));
  digest.add(std::min(known_, probes_to_doubt_the_weather));
  for (const core::MemberId member : bad_in_a_row_) digest.add(member);
  for (const auto& [member, claim] : spared_) {
    digest.add(member);
    digest.token(claim);
  }
}

}  // namespace sim
