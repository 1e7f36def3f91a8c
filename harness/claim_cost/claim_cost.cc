#include "harness/claim_cost/claim_cost.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/ids.h"
#include "core/pg/codec.h"
#include "core/pg/pqxx_transport.h"
#include "core/pg/store.h"
#include "core/rng.h"
#include "embedded/harness_claim_cost/statements.h"
#include "harness/campaign_database.h"
#include "harness/postgres/sql_script.h"

namespace harness {
namespace {

using core::Duration;
using core::MemberId;
using core::Token;
namespace statements = claim_cost::statements;

constexpr std::int64_t batch = 200;
constexpr const char* campaign = "cost";

struct Failure {
  std::string message;
};

core::pg::Result must(core::pg::Transport& transport, const core::pg::Statement& statement,
                      const std::vector<std::string>& params) {
  core::pg::Result result = transport.execute(statement, params);
  if (result.delivery != core::pg::Delivery::answered || !result.sqlstate.empty()) {
    throw Failure{std::string(statement.name) + ": " + result.error};
  }
  return result;
}

void must(const std::expected<void, std::string>& done) {
  if (!done) throw Failure{done.error()};
}

void run_script(std::string_view text, const char* name, const std::string& dsn) {
  const auto script = postgres::parse_sql_script(text, name);
  if (!script) throw Failure{script.error()};
  must(postgres::run_sql_script(*script, dsn));
}

class Stopwatch {
 public:
  Duration lap() {
    const auto now = std::chrono::steady_clock::now();
    const auto passed = std::chrono::duration_cast<Duration>(now - start_);
    start_ = now;
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Duration median(std::vector<Duration> times) {
  if (times.empty()) return Duration(0);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::unique_ptr<core::pg::Transport> connect(const std::string& dsn) {
  return core::pg::connect_with_pqxx({dsn, Duration(0), false, "claim_cost"});
}

// One claim with its record; returns the members it took, 0 at the end.
std::int64_t one_row_claim(core::pg::Transport& transport, core::Rng& rng) {
  const std::string token = core::to_string(Token{rng.next(), rng.next()});
  const core::pg::Result claimed =
      must(transport, {"row_claim", statements::row_claim}, {campaign, token});
  if (claimed.rows.empty()) return 0;
  std::vector<MemberId> members;
  for (const core::pg::Row& row : claimed.rows)
    members.push_back(MemberId(std::stoll(row[0].value())));
  const std::vector<std::string> sent(members.size(), "sent");
  const std::vector<MemberId> zeros(members.size(), MemberId(0));
  must(transport, {"row_record", statements::row_record},
       {campaign, token, core::pg::array_of(members), core::pg::array_of(sent),
        core::pg::array_of(zeros), core::pg::array_of(zeros)});
  return static_cast<std::int64_t>(members.size());
}

std::int64_t one_batch_claim(core::pg::PgStore& store, core::Rng& rng) {
  const Token token{rng.next(), rng.next()};
  const core::StoreReply reply = store.execute(core::ClaimBatch{token});
  if (reply.answer.status != core::StoreStatus::answered)
    throw Failure{"claim_batch: " + reply.answer.error};
  const auto& claimed = std::get<core::Claimed>(reply.answer.result);
  if (!claimed.found) return 0;
  core::RecordBatch record;
  record.batch = claimed.batch;
  record.token = token;
  record.ends = true;
  for (const core::ClaimedMember& member : claimed.members) record.sent.push_back(member.id);
  const core::StoreReply recorded = store.execute(record);
  if (recorded.answer.status != core::StoreStatus::answered)
    throw Failure{"record_batch: " + recorded.answer.error};
  return static_cast<std::int64_t>(claimed.members.size());
}

template <typename OneClaim>
void claim_all(ClaimCost& cost, std::int64_t members,
               const std::function<bool(std::int64_t)>& progress, OneClaim one_claim) {
  std::vector<Duration> times;
  Stopwatch watch;
  for (;;) {
    const std::int64_t took = one_claim();
    const Duration time = watch.lap();
    if (took == 0) break;
    cost.members += took;
    cost.in_statements += time;
    times.push_back(time);
    if (times.size() % 100 == 0 && !progress(cost.members)) throw Failure{"stopped"};
  }
  if (cost.members != members)
    throw Failure{"claimed " + std::to_string(cost.members) + " of " + std::to_string(members)};
  const auto tenth = static_cast<std::ptrdiff_t>(times.size() / 10 + 1);
  cost.first_batch = median({times.begin(), times.begin() + tenth});
  cost.last_batch = median({times.end() - tenth, times.end()});
}

}  // namespace

std::expected<ClaimCost, std::string> measure_claims(
    ClaimDesign design, const std::string& server_dsn, std::int64_t members, bool held_snapshot,
    const std::function<bool(std::int64_t)>& progress) {
  ClaimCost cost;
  core::Rng rng(1);
  try {
    auto database = CampaignDatabase::create(server_dsn, campaign);
    if (!database) throw Failure{database.error()};
    must(database->make_table());
    if (design == ClaimDesign::row_claims) {
      run_script(statements::row_migration, "row_migration.sql", database->dsn());
    } else {
      must(database->migrate());
    }
    must(database->load(members));
    const auto holder = connect(database->dsn());
    if (held_snapshot) {
      must(*holder, {"hold_begin", statements::hold_begin}, {});
      must(*holder, {"hold_look", statements::hold_look}, {});
    }
    if (design == ClaimDesign::row_claims) {
      const auto transport = connect(database->dsn());
      claim_all(cost, members, progress, [&] { return one_row_claim(*transport, rng); });
      return cost;
    }
    core::Policy policy;
    policy.batch = batch;
    policy.rate_per_s = 0;
    core::pg::PgStore store(connect(database->dsn()), {campaign, "none", policy});
    core::pg::PgStore::Opened opened;
    if (const auto refused = store.open({std::nullopt, 0}, opened)) throw Failure{refused->message};
    Stopwatch watch;
    const core::StoreReply planned = store.execute(core::Plan{opened.plan_version});
    if (planned.answer.status != core::StoreStatus::answered)
      throw Failure{"plan: " + planned.answer.error};
    cost.planning = watch.lap();
    claim_all(cost, members, progress, [&] { return one_batch_claim(store, rng); });
    return cost;
  } catch (const Failure& failure) {
    return std::unexpected(failure.message);
  }
}

}  // namespace harness
