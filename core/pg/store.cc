#include "core/pg/store.h"

#include "core/assert.h"
#include "core/number_text.h"
#include "embedded/core_pg/statements.h"

namespace core::pg {
namespace {

constexpr std::int64_t oldest_version = 150000;
constexpr std::int64_t tested_version = 170000;

std::string migrate_hint() {
  return "run deploy/migrations/*.sql with psql -v ON_ERROR_STOP=1 -f";
}

// Wall time is measured here and nowhere reaches a decision.
Duration elapsed_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
}

}  // namespace

PgStore::PgStore(std::unique_ptr<Transport> transport, Context context)
    : transport_(std::move(transport)), context_(std::move(context)) {}

Result PgStore::run(const Statement& statement, const std::vector<std::string>& params) {
  const auto start = std::chrono::steady_clock::now();
  Result result = transport_->execute(statement, params);
  const Duration took = elapsed_since(start);
  {
    const std::lock_guard lock(mutex_);
    auto cost = costs_.find(statement.name);
    if (cost == costs_.end())
      cost = costs_.emplace(std::string(statement.name), StatementCost{}).first;
    ++cost->second.count;
    cost->second.time += took;
  }
  if (observer_)
    observer_(statement.name, took,
              result.delivery == Delivery::answered && result.sqlstate.empty());
  return result;
}

StoreReply PgStore::execute(const StoreCommand& command) {
  Call call = encode(command, context_);
  const bool moved = claim_start_.move(command, call);
  StoreReply reply = execute(command, call, moved);
  const auto* claimed = std::get_if<Claimed>(&reply.answer.result);
  if (!moved || reply.answer.status != StoreStatus::answered || claimed->found) return reply;
  return execute(command, encode(command, context_), false);
}

StoreReply PgStore::execute(const StoreCommand& command, const Call& call, bool moved) {
  const Result result = run(call.statement, call.params);
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) {
    StoreReply reply;
    reply.answer = failure(result);
    if (reply.answer.status == StoreStatus::refused) {
      reply.answer.error =
          "the database refused " + std::string(call.statement.name) + ": " + result.error;
    }
    return reply;
  }
  claim_start_.heard(command, moved, result.rows);
  return decode(command, result.rows);
}

PgStore::Refusal PgStore::refusal(const Result& result) const {
  const bool for_good = !result.sqlstate.empty() && !passes(result.sqlstate);
  return {for_good || result.error.find("authentication failed") != std::string::npos ||
              (result.error.find("database \"") != std::string::npos &&
               result.error.find("does not exist") != std::string::npos) ||
              (result.error.find("role \"") != std::string::npos &&
               result.error.find("does not exist") != std::string::npos),
          result.error};
}

std::optional<PgStore::Refusal> PgStore::check_schema(Opened& opened) {
  const Result result = run({"schema_check", statements::schema_check}, {});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return refusal(result);
  const Row& row = result.rows.at(0);
  const std::int64_t version = std::stoll(row[0].value());
  const std::string version_text =
      std::to_string(version / 10000) + "." + std::to_string(version % 10000);
  if (version < oldest_version) {
    return Refusal{true, "DB_DSN: the server is PostgreSQL " + version_text +
                             "; 15 or newer is needed, 17 is tested"};
  }
  if (version / 10000 != tested_version / 10000) {
    opened.warning = "the server is PostgreSQL " + version_text + "; only 17 is tested";
  }
  if (row[1].value() != "t") {
    return Refusal{true,
                   "DB_DSN: the database has no table campaign_targets (in its search_path); load "
                   "the audience "
                   "into one, then " +
                       migrate_hint()};
  }
  const std::string missing = row[2].value();
  if (missing != "{}") {
    return Refusal{
        true, "the schema lacks " + missing.substr(1, missing.size() - 2) + "; " + migrate_hint()};
  }
  if (row[3].value() == "t") return check_row_claims();
  return std::nullopt;
}

std::optional<PgStore::Refusal> PgStore::check_row_claims() {
  const Result result =
      run({"row_claims_alive", statements::row_claims_alive}, {context_.campaign});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return refusal(result);
  const std::string alive = result.rows.at(0)[0].value();
  if (alive == "0") return std::nullopt;
  return Refusal{
      true,
      alive + " members of campaign " + context_.campaign +
          " are leased by a row-claim sender, which does not see our claims; suspend it and wait "
          "until its leases have ended"};
}

// Reads what is there and refuses what can't be; on success everything in `opened` is as the
// database has it.
std::optional<PgStore::Refusal> PgStore::look(const Wanted& wanted, Opened& opened) {
  const Result result =
      run({"campaign_look", statements::campaign_look}, {context_.campaign, context_.provider});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return refusal(result);
  const Row& row = result.rows.at(0);
  opened.begun = row[2].has_value() && row[4].has_value();
  opened.cancelled = row[5].value() == "t";
  opened.template_name = row[2].value_or(wanted.template_name.value_or(context_.campaign));
  opened.plan_version = std::stoi(row[3].value());
  const std::int64_t rate = wanted.rate_per_s.value_or(context_.policy.rate_per_s);
  const std::int64_t interval_us = rate == 0 ? 0 : (1'000'000 + rate - 1) / rate;
  opened.interval_us = row[4] ? std::stoll(*row[4]) : interval_us;
  opened.now = DbTime(Duration(std::stoll(row[0].value())));
  opened.hours_version = std::stoi(row[8].value());
  opened.window = row[6].value_or(row[2] ? "" : wanted.window.value_or(""));
  opened.not_after.reset();
  if (row[7]) opened.not_after = DbTime(Duration(std::stoll(*row[7])));
  if (!row[2]) opened.not_after = wanted.not_after;
  if (row[1].value() == "0") {
    return Refusal{true, "CAMPAIGN_ID=" + context_.campaign +
                             ": campaign_targets has no member of this campaign; "
                             "check the name, or load the audience first"};
  }
  if (wanted.template_name && opened.template_name != *wanted.template_name) {
    return Refusal{
        true,
        "TEMPLATE=" + *wanted.template_name + ": campaign " + context_.campaign +
            " was begun with template " + opened.template_name +
            ", and an idempotency key keeps its payload; use that, or start another campaign"};
  }
  if (wanted.rate_per_s && opened.interval_us != interval_us) {
    const std::string shared =
        opened.interval_us == 0 ? "no limit"
                                : "one request each " + std::to_string(opened.interval_us) + " us";
    return Refusal{
        true, "RATE_PER_S=" + std::to_string(rate) + ": provider_rate for " + context_.provider +
                  " says " + shared +
                  ", and all workers must agree; leave RATE_PER_S out, or change interval_us in "
                  "that row"};
  }
  return check_hours(wanted, opened);
}

std::optional<PgStore::Refusal> PgStore::check_hours(const Wanted& wanted,
                                                     const Opened& opened) const {
  if (wanted.window && *wanted.window != opened.window) {
    return Refusal{true, "WINDOW=" + *wanted.window + ": campaign " + context_.campaign +
                             " is sent " +
                             (opened.window.empty() ? "at any time" : "at " + opened.window) +
                             "; leave WINDOW out, or change that with campaign_sender window"};
  }
  if (wanted.not_after && wanted.not_after != opened.not_after) {
    return Refusal{true,
                   "NOT_AFTER=" + utc_text(*wanted.not_after) + ": campaign " + context_.campaign +
                       (opened.not_after ? " is sent until " + utc_text(*opened.not_after)
                                         : " has no last date") +
                       "; leave NOT_AFTER out, or change that with campaign_sender not-after"};
  }
  return std::nullopt;
}

std::optional<PgStore::Refusal> PgStore::inspect(const Wanted& wanted, Opened& opened) {
  if (auto refused = check_schema(opened)) return refused;
  return look(wanted, opened);
}

std::optional<PgStore::Refusal> PgStore::open(const Wanted& wanted, Opened& opened) {
  if (auto refused = inspect(wanted, opened)) return refused;
  if (!opened.begun) {
    const std::string not_after_us =
        opened.not_after ? std::to_string(opened.not_after->time_since_epoch().count()) : "";
    const Result result = run({"open_campaign", statements::open_campaign},
                              {context_.campaign, opened.template_name, context_.provider,
                               std::to_string(opened.interval_us), opened.window, not_after_us});
    if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return refusal(result);
    // Another process may have been first, with other values.
    if (auto refused = look(wanted, opened)) return refused;
  }
  context_.hours_version = opened.hours_version;
  return std::nullopt;
}

std::optional<DbTime> PgStore::clock() {
  const Result result = run({"clock", statements::clock}, {});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return std::nullopt;
  return DbTime(Duration(std::stoll(result.rows.at(0)[0].value())));
}

std::map<std::string, StatementCost, std::less<>> PgStore::costs() const {
  const std::lock_guard lock(mutex_);
  return costs_;
}

std::optional<std::int64_t> PgStore::remaining() {
  const Result result = run({"remaining", statements::remaining},
                            {context_.campaign, std::to_string(context_.policy.batch)});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return std::nullopt;
  return std::stoll(result.rows.at(0)[0].value());
}

std::optional<PgStore::Refusal> PgStore::preview(std::int64_t members, Preview& preview) {
  const StoreReply totals = execute(CountTotals{});
  if (totals.answer.status != StoreStatus::answered) return Refusal{false, totals.answer.error};
  preview.totals = std::get<Totals>(totals.answer.result);
  const Result result =
      run({"preview", statements::preview}, {context_.campaign, std::to_string(members)});
  if (result.delivery != Delivery::answered || !result.sqlstate.empty()) return refusal(result);
  for (const Row& row : result.rows) {
    preview.members.emplace_back(MemberId(std::stoll(row[0].value())), row[1].value_or(""));
  }
  return std::nullopt;
}

}  // namespace core::pg
