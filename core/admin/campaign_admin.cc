#include "core/admin/campaign_admin.h"

#include <utility>

#include "core/pg/codec.h"
#include "embedded/core_admin/statements.h"

namespace core::admin {
namespace {

std::int64_t number_of(const std::optional<std::string>& field) {
  return field ? std::stoll(*field) : 0;
}
bool flag(const std::optional<std::string>& field) {
  return field == "t";
}
std::optional<DbTime> time_of(const std::optional<std::string>& field) {
  if (!field) return std::nullopt;
  return DbTime(Duration(std::stoll(*field)));
}

Status read_status(const pg::Row& row) {
  Status status;
  status.now = *time_of(row[0]);
  status.template_name = row[1];
  status.paused = flag(row[2]);
  status.cancelled = flag(row[3]);
  status.planned = flag(row[4]);
  std::size_t field = 5;
  for (std::int64_t* count :
       {&status.total, &status.sent, &status.failed, &status.unknown, &status.skipped,
        &status.opted_out, &status.waiting, &status.retrying})
    *count = number_of(row[field++]);
  status.next_retry = time_of(row[13]);
  status.in_flight = number_of(row[14]);
  status.ended_leases = number_of(row[15]);
  status.sent_last_minute = number_of(row[16]);
  status.last_sent = time_of(row[17]);
  if (row[18]) status.interval = Duration(std::stoll(*row[18]));
  if (number_of(row[19]) > 0) status.paused_until = time_of(row[19]);
  status.window = row[20].value_or("");
  status.not_after = time_of(row[21]);
  return status;
}

}  // namespace

std::string_view text_of(Resolution resolution) {
  return resolution == Resolution::delivered ? "delivered" : "send_again";
}

CampaignAdmin::CampaignAdmin(std::unique_ptr<pg::Transport> transport, std::string campaign,
                             std::string provider)
    : transport_(std::move(transport)),
      campaign_(std::move(campaign)),
      provider_(std::move(provider)) {}

Answer<std::vector<pg::Row>> CampaignAdmin::rows(const pg::Statement& statement,
                                                 const std::vector<std::string>& params) {
  pg::Result result = transport_->execute(statement, params);
  if (result.delivery == pg::Delivery::not_sent)
    return std::unexpected(Refusal{true, "DB_DSN: the database is away: " + result.error});
  if (result.delivery == pg::Delivery::lost)
    return std::unexpected(
        Refusal{true,
                "the connection broke before the answer: whether it was done, campaign_sender "
                "status tells: " +
                    result.error});
  if (result.sqlstate == "42P01" || result.sqlstate == "42703" || result.sqlstate == "42883")
    return std::unexpected(
        Refusal{false, "the schema is older than this program: " + result.error +
                           "; run deploy/migrations/*.sql with psql -v ON_ERROR_STOP=1 -f"});
  if (!result.sqlstate.empty()) return std::unexpected(Refusal{false, result.error});
  return std::move(result.rows);
}

Answer<pg::Row> CampaignAdmin::row(const pg::Statement& statement,
                                   const std::vector<std::string>& params,
                                   const std::string& missing) {
  auto all = rows(statement, params);
  if (!all) return std::unexpected(all.error());
  if (all->empty()) return std::unexpected(Refusal{false, missing});
  return std::move(all->front());
}

Answer<Status> CampaignAdmin::status() {
  const auto head = row({"status", statements::status}, {campaign_, provider_}, "");
  if (!head) return std::unexpected(head.error());
  Status status = read_status(*head);
  if (status.total == 0 && !status.template_name)
    return std::unexpected(Refusal{false, "CAMPAIGN_ID=" + campaign_ +
                                              ": campaign_targets has no member of this campaign; "
                                              "check the name"});
  const auto reasons = rows({"reasons", statements::reasons}, {campaign_});
  if (!reasons) return std::unexpected(reasons.error());
  for (const pg::Row& one : *reasons)
    status.reasons.push_back({one[0].value(), one[1].value(), number_of(one[2])});
  const auto health = row({"database_health", statements::database_health}, {}, "");
  if (!health) return std::unexpected(health.error());
  if ((*health)[0]) status.oldest_snapshot = std::chrono::seconds(number_of((*health)[0]));
  status.oldest_pid = number_of((*health)[1]);
  status.dead_rows = number_of((*health)[2]);
  status.live_rows = number_of((*health)[3]);
  status.table_bytes = number_of((*health)[4]);
  status.last_vacuum = time_of((*health)[5]);
  return status;
}

Answer<bool> CampaignAdmin::set_paused(bool paused) {
  const auto before =
      row({"set_paused", statements::set_paused}, {campaign_, paused ? "t" : "f"},
          "CAMPAIGN_ID=" + campaign_ + ": the campaign has not begun; suspend its CronJob instead");
  if (!before) return std::unexpected(before.error());
  if (flag((*before)[1]))
    return std::unexpected(Refusal{
        false, "campaign " + campaign_ + " is cancelled, and stays so; load another campaign"});
  return flag((*before)[0]);
}

Answer<bool> CampaignAdmin::cancel() {
  const auto before =
      row({"cancel", statements::cancel}, {campaign_},
          "CAMPAIGN_ID=" + campaign_ + ": the campaign has not begun; delete its CronJob instead");
  if (!before) return std::unexpected(before.error());
  return flag((*before)[0]);
}

Answer<Duration> CampaignAdmin::set_limit(Duration interval) {
  const auto before =
      row({"set_limit", statements::set_limit}, {provider_, std::to_string(interval.count())},
          "provider_rate has no row \"" + provider_ +
              "\": set PROVIDER or MAIL_URL as the senders have it");
  if (!before) return std::unexpected(before.error());
  return Duration(number_of((*before)[0]));
}

Answer<std::string> CampaignAdmin::set_window(const std::string& window) {
  const auto before = row({"set_window", statements::set_window}, {campaign_, window},
                          "CAMPAIGN_ID=" + campaign_ +
                              ": the campaign has not begun; set WINDOW for its senders instead");
  if (!before) return std::unexpected(before.error());
  return (*before)[0].value();
}

Answer<std::optional<DbTime>> CampaignAdmin::set_not_after(std::optional<DbTime> moment) {
  const auto before =
      row({"set_not_after", statements::set_not_after},
          {campaign_, moment ? std::to_string(moment->time_since_epoch().count()) : ""},
          "CAMPAIGN_ID=" + campaign_ +
              ": the campaign has not begun; set NOT_AFTER for its senders instead");
  if (!before) return std::unexpected(before.error());
  return time_of((*before)[0]);
}

Answer<UnknownMembers> CampaignAdmin::unknown_members(std::int64_t limit) {
  const auto all =
      rows({"unknown_members", statements::unknown_members}, {campaign_, std::to_string(limit)});
  if (!all) return std::unexpected(all.error());
  UnknownMembers unknown;
  for (const pg::Row& one : *all) {
    unknown.now = *time_of(one[0]);
    unknown.in_all = number_of(one[1]);
    unknown.first.push_back({MemberId(number_of(one[2])), one[3].value_or(""), *time_of(one[4]),
                             number_of(one[5]), one[6].value(), number_of(one[7])});
  }
  return unknown;
}

Answer<std::vector<MemberId>> CampaignAdmin::resolve(const Decision& decision) {
  const auto all =
      rows({"resolve", statements::resolve},
           {campaign_, pg::array_of(decision.members), std::string(text_of(decision.resolution)),
            decision.decided_by, decision.note});
  if (!all) return std::unexpected(all.error());
  std::vector<MemberId> members;
  for (const pg::Row& one : *all) members.push_back(MemberId(number_of(one[0])));
  return members;
}

}  // namespace core::admin
