#include "harness/counting/count.h"

#include <algorithm>

#include "core/answer.h"

namespace harness {
namespace {

// What takes less is a burst, and a rate of it says nothing.
constexpr std::int64_t steady_at_least_us = 100'000;

// For the member's own reason: what the sender's core takes for one.
bool is_refusal(int status) {
  return core::classify({core::Transport::answered, status, std::nullopt}) ==
         core::AnswerKind::refused;
}

}  // namespace

Tally::Tally(const Audience& audience) : audience_(audience), fates_(audience.members().size()) {}

void Tally::add(const LedgerRow& row) {
  ++requests_;
  if (row.outcome == Outcome::repeat) ++repeats_;
  if (row.arrival_us) arrivals_us_.push_back(*row.arrival_us);
  const auto position = audience_.find(row.recipient);
  if (!position) {
    ++strangers_;
    return;
  }
  Fate& fate = fates_[*position];
  if (row.outcome == Outcome::delivered) ++fate.deliveries;
  const bool delivered = row.outcome == Outcome::delivered || row.outcome == Outcome::repeat;
  if (row.outcome == Outcome::refused && is_refusal(row.status))
    fate.refused = true;
  else if (!delivered)
    fate.turned_away = true;
  const auto& opted_out_us = audience_.members()[*position].opted_out_us;
  if (!opted_out_us || !row.arrival_us) return;
  const core::Duration after(*row.arrival_us - *opted_out_us);
  if (after > opt_out_grace) {
    ++late_;
    ++fate.requests_after_opt_out;
  } else if (after > core::Duration(0)) {
    ++in_grace_;
  }
}

bool Tally::has_failed(std::size_t position) const {
  const Fate& fate = fates_[position];
  return fate.deliveries == 0 &&
         (fate.refused || audience_.members()[position].truth == Truth::failed);
}

bool Tally::is_lost(std::size_t position) const {
  const Fate& fate = fates_[position];
  const Member& member = audience_.members()[position];
  const bool accounted = member.truth == Truth::unknown || member.truth == Truth::skipped;
  return fate.deliveries == 0 && !has_failed(position) && !accounted && !member.opted_out_us;
}

void Tally::write(reports::SenderResult& result) {
  result.members = static_cast<std::int64_t>(fates_.size());
  result.accepted = result.duplicates = result.extra_deliveries = 0;
  result.lost = result.failed = result.unknown = result.opted_out = 0;
  for (std::size_t i = 0; i < fates_.size(); ++i) {
    const Fate& fate = fates_[i];
    const Member& member = audience_.members()[i];
    result.accepted += fate.deliveries > 0;
    result.duplicates += fate.deliveries > 1;
    result.extra_deliveries += fate.deliveries > 1 ? fate.deliveries - 1 : 0;
    result.failed += has_failed(i);
    result.unknown += member.truth == Truth::unknown;
    result.opted_out += member.opted_out_us.has_value();
    result.lost += is_lost(i);
  }
  result.late_opt_outs = late_;
  result.opt_outs_in_grace = in_grace_;
  result.repeats = repeats_;
  result.requests = requests_;
  result.max_in_any_second = most_in_any_second(arrivals_us_);
  result.steady_per_s = steady_per_second(arrivals_us_);
}

std::int64_t Tally::failed_disagree(bool work_is_left) const {
  std::int64_t disagree = 0;
  for (std::size_t i = 0; i < fates_.size(); ++i) {
    const Fate& fate = fates_[i];
    const bool in_table = audience_.members()[i].truth == Truth::failed;
    const bool in_vain = fate.deliveries == 0 && (fate.refused || fate.turned_away);
    const bool not_recorded = fate.deliveries == 0 && fate.refused && !in_table;
    disagree += (in_table && !in_vain) || (not_recorded && !work_is_left);
  }
  return disagree;
}

std::int64_t most_in_any_second(std::vector<std::int64_t>& arrivals_us) {
  std::ranges::sort(arrivals_us);
  std::size_t most = 0;
  for (std::size_t first = 0, last = 0; last < arrivals_us.size(); ++last) {
    while (arrivals_us[first] <= arrivals_us[last] - 1'000'000) ++first;
    most = std::max(most, last - first + 1);
  }
  return static_cast<std::int64_t>(most);
}

std::int64_t steady_per_second(const std::vector<std::int64_t>& sorted_us) {
  const std::size_t fifth = sorted_us.size() / 5;
  if (fifth == 0) return 0;
  const std::int64_t took_us = sorted_us[4 * fifth] - sorted_us[fifth];
  return took_us < steady_at_least_us ? 0
                                      : static_cast<std::int64_t>(3 * fifth) * 1'000'000 / took_us;
}

}  // namespace harness
