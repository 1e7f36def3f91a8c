#include "core/sender/dry_run.h"

#include <algorithm>
#include <cstdio>

#include "core/address.h"
#include "core/number_text.h"

namespace core::sender {
namespace {

constexpr std::int64_t assumed_latency_us = 150'000;

}  // namespace

int print_dry_run(const Settings& settings, pg::PgStore& store, const pg::PgStore::Opened& opened,
                  std::int64_t members) {
  pg::PgStore::Preview preview;
  if (const auto refusal = store.preview(members, preview)) {
    std::fprintf(stderr, "campaign_sender: %s\n", refusal->message.c_str());
    return refusal->for_good ? 3 : 1;
  }
  const Totals& totals = preview.totals;
  const Policy& policy = settings.policy;
  // The slowest of three: the shared limit at its pace, this process's own interval, latency over
  // lanes.
  const std::int64_t paced_us = opened.interval_us * 1000 / policy.pace_permille;
  const std::int64_t lanes_us = assumed_latency_us / std::min(policy.lanes, policy.batch);
  const std::int64_t each_us = std::max({paced_us, policy.min_interval.count(), lanes_us});
  const std::int64_t all_us = each_us * totals.remaining;
  std::printf("campaign %s, template %s: %lld members\n", settings.campaign.c_str(),
              opened.template_name.c_str(), static_cast<long long>(totals.total));
  std::printf("  would be mailed  %lld\n", static_cast<long long>(totals.remaining));
  std::printf("  opted out        %lld\n", static_cast<long long>(totals.opted_out));
  std::printf("  sent already     %lld\n", static_cast<long long>(totals.sent));
  std::printf("  failed, unknown, skipped  %lld, %lld, %lld\n",
              static_cast<long long>(totals.failed), static_cast<long long>(totals.unknown),
              static_cast<long long>(totals.skipped));
  std::printf("  takes at least   %s (%s a request in all, %lld lanes at %lld ms latency)\n",
              span_text(Duration(all_us)).c_str(), to_text(Duration(each_us)).c_str(),
              static_cast<long long>(policy.lanes),
              static_cast<long long>(assumed_latency_us / 1000));
  if (!opened.window.empty()) std::printf("  sent only at     %s\n", opened.window.c_str());
  if (opened.not_after) std::printf("  sent only before %s\n", utc_text(*opened.not_after).c_str());
  const std::int64_t runs = (all_us + policy.deadline.count() - 1) / policy.deadline.count();
  if (runs > 1) {
    std::printf("  DEADLINE_S=%lld ends each run: %lld runs\n",
                static_cast<long long>(policy.deadline / 1s), static_cast<long long>(runs));
  }
  for (const auto& [member, address] : preview.members) {
    std::printf(
        "%lld %s%s\n", static_cast<long long>(number(member)), address.c_str(),
        is_sendable_address(address) ? "" : "  (will fail: not an address that can be sent)");
  }
  const auto shown = static_cast<std::int64_t>(preview.members.size());
  if (shown < totals.remaining) {
    std::printf("... and %lld more; --dry-run=%lld lists all\n",
                static_cast<long long>(totals.remaining - shown),
                static_cast<long long>(totals.remaining));
  }
  return 0;
}

}  // namespace core::sender
