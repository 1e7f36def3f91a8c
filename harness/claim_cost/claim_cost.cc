#include "harness/claim_cost/claim_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "core/ids.h"
#include "core/pg/codec.h"
#include "core/pg/pqxx_transport.h"
#include "core/pg/store.h"
#include "core/rng.h"
#include "embedded/harness_claim_cost/statements.h"
#include "harness/database/campaign_database.h"
#include "harness/postgres/sql_script.h"

namespace harness {
namespace {

using core::Duration;
using core::MemberId;
using core::Token;
namespace statements = claim_cost::statements;

// Some seconds: the first claim of a turn finds its caches cold and costs 4 ms instead of one.
constexpr int batches_a_turn = 300;
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

// One design's claims over an audience of its own.
class Claims {
 public:
  Claims(const std::string& server_dsn, std::int64_t members) : members_(members) {
    auto database = CampaignDatabase::create(server_dsn, campaign);
    if (!database) throw Failure{database.error()};
    database_.emplace(std::move(*database));
    must(database_->make_table());
  }
  virtual ~Claims() = default;

  void load() {
    must(database_->load(members_));
    watcher_ = connect(database_->dsn());
    const Look look = look_at_table();
    cost_.wear.table_bytes_before = look.table_bytes;
    cost_.wear.index_bytes_before = look.index_bytes;
  }
  void hold_snapshot() {
    holder_ = connect(database_->dsn());
    must(*holder_, {"hold_begin", statements::hold_begin}, {});
    must(*holder_, {"hold_look", statements::hold_look}, {});
  }
  // Returns: false when nothing was left to claim.
  bool take_turn() {
    const std::int64_t wal_before = look_at_table().wal_bytes;
    const bool left = take_batches();
    cost_.wear.wal_bytes += look_at_table().wal_bytes - wal_before;
    return left;
  }
  // Requires: nothing is left to claim.
  void vacuum() {
    Wear& wear = cost_.wear;
    Look look = look_at_table();
    wear.table_bytes = look.table_bytes;
    wear.index_bytes = look.index_bytes;
    wear.dead_rows = look.dead_rows;
    wear.hot_permille = look.updates == 0 ? 0 : look.hot_updates * 1000 / look.updates;
    Stopwatch watch;
    run_script(statements::vacuum, "vacuum.sql", database_->dsn());
    wear.vacuum = watch.lap();
    look = look_at_table();
    wear.table_bytes_vacuumed = look.table_bytes;
    wear.index_bytes_vacuumed = look.index_bytes;
  }
  std::int64_t done() const { return cost_.members; }
  ClaimCost cost() {
    if (cost_.members != members_)
      throw Failure{fmt::format("claimed {} of {}", cost_.members, members_)};
    const auto tenth = static_cast<std::ptrdiff_t>(times_.size() / 10 + 1);
    cost_.first_batch = median({times_.begin(), times_.begin() + tenth});
    cost_.last_batch = median({times_.end() - tenth, times_.end()});
    cost_.median_batch = median(times_);
    return cost_;
  }

 protected:
  // One claim with its record; returns the members it took, 0 at the end.
  virtual std::int64_t one_claim() = 0;

  CampaignDatabase& database() { return *database_; }
  Token new_token() { return Token{rng_.next(), rng_.next()}; }
  ClaimCost cost_;

 private:
  struct Look {
    std::int64_t wal_bytes, table_bytes, index_bytes, dead_rows, updates, hot_updates;
  };
  Look look_at_table() {
    const core::pg::Row row = must(*watcher_, {"wear", statements::wear}, {}).rows.at(0);
    const auto at = [&](std::size_t column) { return std::stoll(row[column].value()); };
    return {at(0), at(1), at(2), at(3), at(4), at(5)};
  }
  // Returns: false when nothing was left to claim.
  bool take_batches() {
    for (int i = 0; i < batches_a_turn; ++i) {
      Stopwatch watch;
      const std::int64_t took = one_claim();
      const Duration time = watch.lap();
      if (took == 0) return false;
      cost_.members += took;
      cost_.in_statements += time;
      times_.push_back(time);
    }
    return true;
  }

  std::int64_t members_;
  std::optional<CampaignDatabase> database_;
  std::unique_ptr<core::pg::Transport> watcher_;
  std::unique_ptr<core::pg::Transport> holder_;
  core::Rng rng_{1};
  std::vector<Duration> times_;
};

class RowClaims : public Claims {
 public:
  RowClaims(const std::string& server_dsn, std::int64_t members) : Claims(server_dsn, members) {
    run_script(statements::row_migration, "row_migration.sql", database().dsn());
    load();
    transport_ = connect(database().dsn());
  }

 private:
  std::int64_t one_claim() override {
    const std::string token = core::to_string(new_token());
    const core::pg::Result claimed =
        must(*transport_, {"row_claim", statements::row_claim}, {campaign, token});
    if (claimed.rows.empty()) return 0;
    std::vector<MemberId> members;
    for (const core::pg::Row& row : claimed.rows)
      members.push_back(MemberId(std::stoll(row[0].value())));
    const std::vector<std::string> sent(members.size(), "sent");
    const std::vector<MemberId> zeros(members.size(), MemberId(0));
    must(*transport_, {"row_record", statements::row_record},
         {campaign, token, core::pg::array_of(members), core::pg::array_of(sent),
          core::pg::array_of(zeros), core::pg::array_of(zeros)});
    return std::ssize(members);
  }

  std::unique_ptr<core::pg::Transport> transport_;
};

class BatchClaims : public Claims {
 public:
  BatchClaims(const std::string& server_dsn, std::int64_t members) : Claims(server_dsn, members) {
    must(database().migrate());
    load();
    core::Policy policy;
    policy.batch = ClaimCost::batch;
    policy.rate_per_s = 0;
    store_.emplace(connect(database().dsn()), core::pg::Context{campaign, "none", policy});
    core::pg::PgStore::Opened opened;
    if (const auto refused = store_->open({std::nullopt, 0}, opened))
      throw Failure{refused->message};
    Stopwatch watch;
    answered(core::Plan{opened.plan_version}, "plan");
    cost_.planning = watch.lap();
  }

 private:
  core::StoreReply answered(const core::StoreCommand& command, const char* name) {
    core::StoreReply reply = store_->execute(command);
    if (reply.answer.status != core::StoreStatus::answered)
      throw Failure{fmt::format("{}: {}", name, reply.answer.error)};
    return reply;
  }

  std::int64_t one_claim() override {
    const Token token = new_token();
    const core::StoreReply reply = answered(core::ClaimBatch{token}, "claim_batch");
    const auto& claimed = std::get<core::Claimed>(reply.answer.result);
    if (!claimed.found) return 0;
    core::RecordBatch record;
    record.batch = claimed.batch;
    record.token = token;
    record.ends = true;
    for (const core::ClaimedMember& member : claimed.members) record.sent.push_back(member.id);
    answered(record, "record_batch");
    return std::ssize(claimed.members);
  }

  std::optional<core::pg::PgStore> store_;
};

}  // namespace

std::expected<ClaimCosts, std::string> compare_claims(
    const std::string& server_dsn, std::int64_t members, bool held_snapshot,
    const std::function<bool(std::int64_t)>& progress) {
  try {
    BatchClaims batches(server_dsn, members);
    RowClaims rows(server_dsn, members);
    if (held_snapshot) {
      batches.hold_snapshot();
      rows.hold_snapshot();
    }
    bool batches_left = true;
    bool rows_left = true;
    while (batches_left || rows_left) {
      batches_left = batches_left && batches.take_turn();
      rows_left = rows_left && rows.take_turn();
      if (!progress(batches.done() + rows.done())) throw Failure{"stopped"};
    }
    batches.vacuum();
    rows.vacuum();
    return ClaimCosts{batches.cost(), rows.cost()};
  } catch (const Failure& failure) {
    return std::unexpected(failure.message);
  }
}

}  // namespace harness
