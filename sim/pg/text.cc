#include "sim/pg/text.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "core/row_state.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sim::pg {
namespace {

using core::DbTime;

std::string us(DbTime time) {
  return std::to_string(time.time_since_epoch().count());
}
std::string us(const std::optional<DbTime>& time) {
  return time ? us(*time) : "-";
}
std::string finite(DbTime time) {
  return time == DbTime::min() ? "-" : us(time);
}
std::string text(const std::optional<core::Token>& token) {
  return token ? to_string(*token) : "-";
}

const char* name(core::RecordVerdict verdict) {
  switch (verdict) {
    case core::RecordVerdict::recorded:
      return "recorded";
    case core::RecordVerdict::already:
      return "already";
    case core::RecordVerdict::stale:
      return "stale";
  }
  return "";
}

std::vector<std::int64_t> numbers(std::vector<core::MemberId> members) {
  std::sort(members.begin(), members.end());
  std::vector<std::int64_t> ids;
  ids.reserve(members.size());
  for (const core::MemberId id : members) ids.push_back(core::number(id));
  return ids;
}

struct AnswerText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const core::Planned& p) const {
    return fmt::format("planned mine={} version={}", p.mine, p.plan_version);
  }
  std::string operator()(const core::Claimed& c) const {
    if (!c.found) return fmt::format("nothing claimed, wake={} halted={}", us(c.wake), c.halted);
    std::string said = fmt::format("claimed batch={} expired={} since={} halted={}",
                                   core::number(c.batch), c.expired_claims, us(c.since), c.halted);
    for (const core::ClaimedMember& m : c.members) {
      said += fmt::format(" [{} attempts={} expired={} since={}]", core::number(m.id), m.attempts,
                          m.expired_claims, us(m.since));
    }
    return said;
  }
  std::string operator()(const core::SlotsReserved& s) const {
    return fmt::format("slots={} first={} interval={} paused_until={}", s.count, us(s.first),
                       s.interval.count(), us(s.paused_until));
  }
  std::string operator()(const core::Rechecked& r) const {
    return fmt::format("held_back={} paused_until={} halted={}", numbers(r.held_back),
                       us(r.paused_until), r.halted);
  }
  std::string operator()(const core::Recorded& r) const {
    return fmt::format("{} changed={}", name(r.verdict), r.changed);
  }
  std::string operator()(const core::Paused& p) const { return "paused until " + us(p.until); }
  std::string operator()(const core::Swept& s) const {
    return fmt::format("swept mine={} version={} loose={} moved={}", s.mine, s.plan_version,
                       s.loose, s.moved);
  }
  std::string operator()(const core::Totals& t) const {
    return fmt::format(
        "total={} sent={} failed={} unknown={} skipped={} stale={} opted_out={} remaining={}",
        t.total, t.sent, t.failed, t.unknown, t.skipped, t.stale, t.opted_out, t.remaining);
  }
  std::string operator()(const core::Skipped& s) const {
    return fmt::format("skipped taken={} members={} wake={} halted={}", s.taken, s.members,
                       us(s.wake), s.halted);
  }
};

std::string others(const std::vector<core::Outcome>& outcomes) {
  std::string said;
  for (const core::Outcome& o : outcomes) {
    said +=
        fmt::format(" [{} {} attempts={} delay={} doubt={} expired={}]", core::number(o.member),
                    name_of(o.state), o.attempts, o.delay ? std::to_string(o.delay->count()) : "-",
                    o.doubt, o.expired_claims);
  }
  return said;
}

struct RequestText {
  std::string operator()(const core::Plan& c) const {
    return fmt::format("plan {}", c.plan_version);
  }
  std::string operator()(const core::ClaimBatch& c) const {
    return "claim_batch token=" + to_string(c.token);
  }
  std::string operator()(const core::ClaimRetries& c) const {
    return fmt::format("claim_retries token={} limit={} suspects={}", to_string(c.token), c.limit,
                       c.suspects);
  }
  std::string operator()(const core::ReadBack& c) const {
    return fmt::format("read_back_{} token={}", c.retries ? "retries" : "batch",
                       to_string(c.token));
  }
  std::string operator()(const core::ReserveSlots& c) const {
    return fmt::format("reserve_slots {}", c.count);
  }
  std::string operator()(const core::Recheck& c) const {
    std::string said = fmt::format("recheck {} tokens=", numbers(c.members));
    for (const core::Token& token : c.retry_tokens) said += to_string(token) + ' ';
    return said;
  }
  std::string operator()(const core::RecordBatch& c) const {
    return fmt::format("record_batch batch={} token={} sent={} others={} ends={} keep_doubt={}",
                       core::number(c.batch), to_string(c.token), numbers(c.sent), others(c.others),
                       c.ends, c.keep_doubt);
  }
  std::string operator()(const core::RecordRetries& c) const {
    return fmt::format("record_retries token={} sent={} others={}", to_string(c.token),
                       numbers(c.sent), others(c.others));
  }
  std::string operator()(const core::Pause& c) const {
    return fmt::format("pause {} us", c.length.count());
  }
  std::string operator()(const core::Sweep& c) const {
    return fmt::format("sweep {}", c.plan_version);
  }
  std::string operator()(const core::CountTotals&) const { return "totals"; }
  std::string operator()(const core::SkipStale&) const { return "skip_stale"; }
  std::string operator()(const OptOut& b) const { return member("opt_out", b.member); }
  std::string operator()(const WithdrawOptOut& b) const {
    return member("withdraw_opt_out", b.member);
  }
  std::string operator()(const Suppress& b) const { return member("suppress", b.member); }
  std::string operator()(const RetryNow& b) const { return member("retry_now", b.member); }
  std::string operator()(const PauseCampaign& b) const {
    return b.paused ? "pause_campaign" : "pause_campaign off";
  }
  std::string operator()(const AddMember& b) const {
    return fmt::format("a member of priority {} is added", b.priority);
  }
  std::string operator()(const core::StoreCommand& command) const {
    return std::visit(*this, command);
  }
  std::string operator()(const Bystander& bystander) const { return std::visit(*this, bystander); }
  static std::string member(const char* what, core::MemberId id) {
    return fmt::format("{} {}", what, core::number(id));
  }
};

std::string what(const Step& step) {
  switch (step.kind) {
    case Step::Kind::at_once:
      return std::visit(RequestText(), step.request);
    case Step::Kind::held:
      return std::visit(RequestText(), step.request) + ", held open";
    case Step::Kind::commit:
      return "commit";
    case Step::Kind::rollback:
      return "rollback";
    case Step::Kind::disconnect:
      return "disconnect";
    case Step::Kind::add_member:
      return RequestText()(AddMember{step.priority});
  }
  return "";
}

}  // namespace

std::string text(const Step& step) {
  return fmt::format("{} session {}: {}", us(step.now), step.session, what(step));
}

std::string text(const core::StoreAnswer& answer) {
  switch (answer.status) {
    case core::StoreStatus::answered:
      if (std::holds_alternative<std::monostate>(answer.result)) return "nothing to say";
      return "at " + us(answer.db_now) + ' ' + std::visit(AnswerText(), answer.result);
    case core::StoreStatus::not_done:
      return "not done " + answer.error;
    case core::StoreStatus::in_doubt:
      return "in doubt " + answer.error;
    case core::StoreStatus::refused:
      return "refused " + answer.error;
  }
  return "";
}

std::string text(const MemberRow& row) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", core::number(row.id), row.priority,
                     name_of(row.state), row.attempts, row.expired_claims, us(row.opted_out_at),
                     us(row.not_before), us(row.maybe_sent_since), text(row.retry_token),
                     us(row.retry_lease_until));
}

std::string text(const BatchRow& row) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", core::number(row.id), row.priority,
                     core::number(row.first), core::number(row.last), name_of(row.state),
                     text(row.token), us(row.lease_until), row.expired_claims,
                     us(row.maybe_sent_since));
}

std::string text(const CampaignRow& campaign, const ProviderRow& provider) {
  return fmt::format("{} {} {} {} {}", campaign.plan_version, campaign.paused ? "t" : "f",
                     provider.interval.count(), finite(provider.tat),
                     finite(provider.paused_until));
}

std::string text(const core::pg::Row& row) {
  std::string line;
  for (const auto& column : row) {
    if (!line.empty()) line += ' ';
    line += column.value_or("-");
  }
  return line;
}

}  // namespace sim::pg
