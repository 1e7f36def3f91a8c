#include "reports/field_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/number_text.h"

namespace reports {
namespace {

std::optional<Amount> rss_spread(const RunResult& run, const SenderResult& sender) {
  std::int64_t least = sender.peak_rss_bytes;
  std::int64_t most = sender.peak_rss_bytes;
  const SenderResult* last = &sender;
  int entries = 0;
  for (const SenderResult& other : run.senders) {
    if (other.sender != sender.sender || other.choice != sender.choice) continue;
    ++entries;
    last = &other;
    least = std::min(least, other.peak_rss_bytes);
    most = std::max(most, other.peak_rss_bytes);
  }
  if (entries < 2 || last != &sender) return std::nullopt;
  return Amount{most - least};
}

}  // namespace

std::optional<Amount> amount_of(const RunResult& run, const SenderResult& sender,
                                scenarios::Field field) {
  using scenarios::Field;
  switch (field) {
    case Field::members:
      return Amount{sender.members};
    case Field::accepted:
      return Amount{sender.accepted};
    case Field::duplicates:
      return Amount{sender.duplicates};
    case Field::extra_deliveries:
      return Amount{sender.extra_deliveries};
    case Field::lost:
      return Amount{sender.lost};
    case Field::failed:
      return Amount{sender.failed};
    case Field::unknown:
      return Amount{sender.unknown};
    case Field::opted_out:
      return Amount{sender.opted_out};
    case Field::late_opt_outs:
      return Amount{sender.late_opt_outs};
    case Field::opt_outs_in_grace:
      return Amount{sender.opt_outs_in_grace};
    case Field::stale_writes:
      return Amount{sender.stale_writes};
    case Field::repeats:
      return Amount{sender.repeats};
    case Field::requests:
      return Amount{sender.requests};
    case Field::peak_rss_bytes:
      return Amount{sender.peak_rss_bytes};
    case Field::peak_rss_spread_bytes:
      return rss_spread(run, sender);
    case Field::exit_codes:
      return std::nullopt;
    case Field::wall_s:
      return Amount{sender.wall.count(), 1'000'000, 3};
    case Field::skipped_s:
      return Amount{sender.skipped.count(), 1'000'000, 3};
    case Field::last_mail_s:
      if (!sender.last_mail) return std::nullopt;
      return Amount{sender.last_mail->count(), 1'000'000, 0};
    case Field::days:
      if (!sender.last_mail) return std::nullopt;
      return Amount{*sender.last_mail / std::chrono::hours(24) + 1};
    case Field::db_us_per_member:
      if (!sender.db_ns_per_member) return std::nullopt;
      return Amount{*sender.db_ns_per_member, 1000, 2};
    case Field::max_in_any_second:
      return Amount{sender.max_in_any_second};
    case Field::steady_per_s:
      return Amount{sender.steady_per_s};
  }
  return std::nullopt;
}

bool is_of_some_runs_only(scenarios::Field field) {
  using scenarios::Field;
  return field == Field::peak_rss_spread_bytes || field == Field::last_mail_s ||
         field == Field::days;
}

std::string amount_text(const Amount& amount, bool grouped) {
  std::int64_t scale = 1;
  for (int i = 0; i < amount.decimals; ++i) scale *= 10;
  const std::int64_t step = amount.unit / scale;  // one of the last decimal
  const std::int64_t magnitude = std::abs(amount.count);
  const std::int64_t rounded = magnitude / step + (magnitude % step * 2 >= step ? 1 : 0);
  const std::int64_t whole = rounded / scale;
  std::string out = amount.count < 0 && rounded > 0 ? "-" : "";
  out += grouped ? core::grouped(whole) : std::to_string(whole);
  if (amount.decimals > 0) out += fmt::format(".{:0{}}", rounded % scale, amount.decimals);
  return out;
}

std::string exit_codes_text(const std::vector<int>& codes) {
  return fmt::format("{}", fmt::join(codes, " "));
}

}  // namespace reports
