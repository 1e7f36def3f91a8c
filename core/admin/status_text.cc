#include "core/admin/status_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/number_text.h"
#include "core/os/windows.h"

namespace core::admin {
namespace {

constexpr std::size_t columns = 100;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> units{
    {{"s", 1'000'000}, {"min", 60'000'000}, {"h", 3'600'000'000}}};

std::string state_of(const Status& status) {
  if (!status.template_name) return "not begun";
  if (status.cancelled) return "cancelled";
  if (status.paused) return "paused";
  if (status.planned && status.remaining() == 0) return "finished";
  return "open";
}

std::string share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "";
  const std::int64_t permille = part * 1000 / whole;
  return fmt::format("{}.{} %", permille / 10, permille % 10);
}

// "http 422 4,000; http 400 12": as many as fit.
std::string reasons_of(const Status& status, std::string_view state) {
  std::string text;
  for (const Reason& reason : status.reasons) {
    if (reason.state != state || reason.reason.empty()) continue;
    const std::string one = reason.reason.substr(0, 40) + " " + grouped(reason.members);
    if (text.size() + one.size() > columns - 40) return text + "; ...";
    text += (text.empty() ? "" : "; ") + one;
  }
  return text;
}

// Of what remains, at the pace of the last minute, else at the limit.
std::optional<std::pair<Duration, std::string>> estimate(const Status& status) {
  if (status.remaining() == 0 || status.paused) return std::nullopt;
  if (status.sent_last_minute > 0)
    return std::pair(Duration(60'000'000 * status.remaining() / status.sent_last_minute),
                     fmt::format("at the last minute's {}", grouped(status.sent_last_minute)));
  if (status.interval && *status.interval > Duration(0))
    return std::pair(*status.interval * status.remaining(),
                     "at the limit of " + limit_text(*status.interval));
  return std::nullopt;
}

// "22:00-06:00 Asia/Tokyo, closes 2026-12-01T21:00:00Z"
std::string window_text(const Status& status) {
  const auto window = os::parse_window(status.window);
  if (!window) return status.window + ": " + window.error();
  const os::OpenHours hours = os::hours_at(*window, status.now);
  return status.window + (hours.opens <= status.now ? ", closes " + utc_text(hours.closes)
                                                    : ", opens " + utc_text(hours.opens));
}

class Lines {
 public:
  void add(std::string_view name, std::int64_t count, const std::string& remark = "") {
    text_ += fmt::format("  {:<12} {:>13}", name, grouped(count));
    if (!remark.empty()) text_ += "  " + remark;
    text_ += "\n";
  }
  void say(const std::string& line) { text_ += "  " + line + "\n"; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string limit_text(Duration interval) {
  if (interval == Duration(0)) return "no limit";
  for (const auto& [unit, us] : units)
    if (us % interval.count() == 0) return fmt::format("{}/{}", us / interval.count(), unit);
  return fmt::format("one each {} us", interval.count());
}

std::optional<Duration> parse_limit(const std::string& text) {
  if (text == "none") return Duration(0);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 1 || count > 1'000'000) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!rest.empty() && rest.front() != '/') return std::nullopt;
  const std::string_view unit = rest.empty() ? "s" : rest.substr(1);
  const auto found =
      std::ranges::find(units, unit, &std::pair<std::string_view, std::int64_t>::first);
  if (found == units.end()) return std::nullopt;
  // Rounded up: never faster than asked.
  return Duration((found->second + count - 1) / count);
}

std::string status_text(const Status& status, const std::string& campaign,
                        const std::string& provider) {
  Lines lines;
  lines.add("members", status.total);
  lines.add("sent", status.sent, share(status.sent, status.total));
  lines.add("failed", status.failed, reasons_of(status, "failed"));
  lines.add("unknown", status.unknown, reasons_of(status, "unknown"));
  lines.add("skipped", status.skipped, reasons_of(status, "skipped"));
  lines.add("opted out", status.opted_out);
  lines.add("waiting", status.waiting);
  lines.add("retrying", status.retrying,
            status.next_retry ? "the next is due " + utc_text(*status.next_retry) : "");
  lines.add("in flight", status.in_flight, "under live claims, among those waiting and retrying");
  if (status.ended_leases > 0)
    lines.add("ended leases", status.ended_leases,
              "batches of dead workers, taken over by the next claim");
  if (status.last_sent) lines.say("the last was sent " + utc_text(*status.last_sent));
  if (const auto left = estimate(status))
    lines.say("takes another " + span_text(left->first) + " " + left->second);
  if (!status.window.empty()) lines.say("window: " + window_text(status));
  if (status.not_after) lines.say("nobody is mailed after " + utc_text(*status.not_after));
  std::string limit = "provider " + provider + ": ";
  limit += status.interval ? limit_text(*status.interval) : "not used yet";
  if (status.paused_until) limit += ", all pause until " + utc_text(*status.paused_until);
  lines.say(limit);
  lines.say(fmt::format(
      "table: {} MB, {} rows, {} dead{}", grouped(status.table_bytes / 1'000'000),
      grouped(status.live_rows), grouped(status.dead_rows),
      status.last_vacuum ? ", vacuumed " + utc_text(*status.last_vacuum) : ", never vacuumed"));
  if (status.oldest_snapshot)
    lines.say(fmt::format("oldest snapshot: {} (process {}); it holds back vacuum",
                          span_text(*status.oldest_snapshot), status.oldest_pid));
  return fmt::format("campaign {}{}: {}, as of {}\n", campaign,
                     status.template_name ? ", template " + *status.template_name : "",
                     state_of(status), utc_text(status.now)) +
         lines.take();
}

std::string status_json(const Status& status, const std::string& campaign,
                        const std::string& provider) {
  const auto optional = [](const std::optional<DbTime>& time) -> nlohmann::ordered_json {
    if (!time) return nullptr;
    return utc_text(*time);
  };
  nlohmann::ordered_json json;
  json["campaign"] = campaign;
  json["state"] = state_of(status);
  json["as_of"] = utc_text(status.now);
  if (status.template_name) json["template"] = *status.template_name;
  for (const auto& [name, count] : {std::pair{"members", status.total},
                                    {"sent", status.sent},
                                    {"failed", status.failed},
                                    {"unknown", status.unknown},
                                    {"skipped", status.skipped},
                                    {"opted_out", status.opted_out},
                                    {"waiting", status.waiting},
                                    {"retrying", status.retrying},
                                    {"in_flight", status.in_flight},
                                    {"ended_leases", status.ended_leases},
                                    {"sent_last_minute", status.sent_last_minute}})
    json[name] = count;
  json["next_retry"] = optional(status.next_retry);
  json["last_sent"] = optional(status.last_sent);
  if (const auto left = estimate(status)) json["finishes_in_s"] = left->first.count() / 1'000'000;
  auto& reasons = json["reasons"] = nlohmann::ordered_json::array();
  for (const Reason& reason : status.reasons)
    reasons.push_back(
        {{"state", reason.state}, {"reason", reason.reason}, {"members", reason.members}});
  json["provider"] = provider;
  json["limit"] = status.interval ? limit_text(*status.interval) : "";
  json["paused_until"] = optional(status.paused_until);
  json["window"] = status.window;
  json["not_after"] = optional(status.not_after);
  json["table_bytes"] = status.table_bytes;
  json["dead_rows"] = status.dead_rows;
  json["last_vacuum"] = optional(status.last_vacuum);
  if (status.oldest_snapshot)
    json["oldest_snapshot_s"] = status.oldest_snapshot->count() / 1'000'000;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string unknown_text(const UnknownMembers& unknown) {
  if (unknown.first.empty()) return "nobody is unknown\n";
  std::string text = fmt::format("{:>12}  {:<20}  {:>8}  {:<20}  {}\n", "member",
                                 "may be sent since", "attempts", "because", "address");
  for (const UnknownMember& member : unknown.first)
    text += fmt::format("{:>12}  {:<20}  {:>8}  {:<20}  {}{}\n", number(member.id),
                        utc_text(member.since), member.attempts, member.reason.substr(0, 20),
                        member.address,
                        member.resolved_before > 0
                            ? fmt::format(" (resolved {} times before)", member.resolved_before)
                            : "");
  if (std::ssize(unknown.first) < unknown.in_all)
    text += fmt::format("... and {} more; --limit {} lists all\n",
                        grouped(unknown.in_all - std::ssize(unknown.first)), unknown.in_all);
  text += fmt::format(
      "as of {}: ask the provider about each, then\n"
      "  campaign_sender resolve delivered MEMBER ... --by NAME      it was sent\n"
      "  campaign_sender resolve send-again MEMBER ... --by NAME     it was not, or twice is "
      "better "
      "than never\n",
      utc_text(unknown.now));
  return text;
}

std::string unknown_json(const UnknownMembers& unknown) {
  auto json = nlohmann::ordered_json::array();
  for (const UnknownMember& member : unknown.first)
    json.push_back({{"member", number(member.id)},
                    {"address", member.address},
                    {"may_be_sent_since", utc_text(member.since)},
                    {"attempts", member.attempts},
                    {"reason", member.reason},
                    {"resolved_before", member.resolved_before}});
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace core::admin
