#include "harness/audit.h"

#include "harness/database/campaign_database.h"
#include "harness/database/database.h"

namespace harness {
namespace {

constexpr std::int64_t year_2000_us = 946'684'800'000'000;
constexpr std::int64_t year_2100_us = 4'102'444'800'000'000;

}  // namespace

AuditResult audit_of(const std::string& campaign, const Audience& audience, const Tally& tally,
                     bool ledger_has_times) {
  AuditResult result;
  result.campaign = campaign;
  result.strangers = tally.strangers();
  result.members = static_cast<std::int64_t>(audience.members().size());
  for (std::size_t i = 0; i < audience.members().size(); ++i) {
    const Member& member = audience.members()[i];
    const Fate& fate = tally.fates()[i];
    result.mails += fate.deliveries;
    result.opted_out += member.opted_out_us.has_value();
    if (fate.requests_after_opt_out > 0)
      result.after_opt_out.add(member.id, fate.requests_after_opt_out);
    if (fate.deliveries > 1) result.more_than_one.add(member.id, fate.deliveries);
    if (fate.deliveries > 0) {
      ++result.mailed;
    } else if (tally.has_failed(i)) {
      ++result.refused;
    } else if (member.truth == Truth::unknown) {
      ++result.unknown;
    } else if (tally.is_lost(i)) {
      result.none.add(member.id, 0);
    }
  }
  result.opt_outs_are_dated = ledger_has_times || result.opted_out == 0;
  return result;
}

std::expected<AuditResult, RunError> audit(const AuditOptions& options) {
  auto database = Database::open(options.dsn);
  if (!database) return std::unexpected(RunError{database.error()});
  const auto audience = read_audience(*database, options.campaign);
  if (!audience)
    return std::unexpected(RunError{"campaign_targets can't be read: " + audience.error()});
  if (audience->members().empty())
    return std::unexpected(RunError{"campaign " + options.campaign +
                                    " has no members in campaign_targets: name another"});
  Tally tally(*audience);
  bool has_times = true;
  std::optional<std::int64_t> odd_time_us;  // milliseconds, most likely
  const auto read = read_ledger(options.ledger, [&](const LedgerRow& row) {
    has_times = has_times && row.arrival_us.has_value();
    if (row.arrival_us && (*row.arrival_us < year_2000_us || *row.arrival_us > year_2100_us))
      odd_time_us = row.arrival_us;
    tally.add(row);
  });
  if (!read) return std::unexpected(RunError{read.error()});
  if (odd_time_us)
    return std::unexpected(
        RunError{options.ledger.string() + ": arrival_us " + std::to_string(*odd_time_us) +
                 " is not between the years 2000 and 2100: give microseconds since 1970"});
  return audit_of(options.campaign, *audience, tally, has_times);
}

reports::Verdict verdict_of(const AuditResult& result) {
  if (result.more_than_one.count + result.none.count + result.after_opt_out.count > 0)
    return reports::Verdict::failed;
  return result.opt_outs_are_dated ? reports::Verdict::passed : reports::Verdict::inconclusive;
}

}  // namespace harness
