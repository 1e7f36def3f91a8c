#include "harness/database/campaign_database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <utility>
#include <vector>

#include "embedded/harness/statements.h"
#include "harness/postgres/conninfo.h"
#include "harness/postgres/sql_script.h"

namespace harness {
namespace {

std::expected<std::int64_t, std::string> number(std::expected<std::string, std::string> value) {
  if (!value) return std::unexpected(value.error());
  return std::stoll(*value);
}

std::filesystem::path deploy_folder() {
  return std::filesystem::path(SENDPROOF_ROOT) / "deploy";
}

std::string fresh_name() {
  std::random_device random;
  return fmt::format("sendproof_run_{}_{:08x}", ::getpid(), random());
}

std::int64_t system_clock_us() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

// Runs the statement that another statement writes.
Done run_written(Database& server, std::string_view writer, const std::string& name) {
  const auto sql = server.value(writer, {name});
  if (!sql) return std::unexpected(sql.error());
  const auto done = server.query(*sql);
  if (!done) return std::unexpected(done.error());
  return {};
}

// Leftovers of killed runs, on a server that outlives them. What can't be dropped now is left for
// the next time.
void drop_abandoned(Database& server) {
  std::vector<std::string> names;
  (void)server.query(statements::abandoned_databases, {},
                     [&](const Row& row) { names.emplace_back(row.text(0)); });
  for (const std::string& name : names) (void)run_written(server, statements::drop_database, name);
}

Done nothing(const std::expected<std::int64_t, std::string>& done) {
  if (!done) return std::unexpected(done.error());
  return {};
}

}  // namespace

CampaignDatabase::CampaignDatabase(Database server, Database database, std::string dsn,
                                   std::string name, std::string campaign)
    : server_(std::move(server)),
      database_(std::move(database)),
      dsn_(std::move(dsn)),
      name_(std::move(name)),
      campaign_(std::move(campaign)) {}

CampaignDatabase::~CampaignDatabase() {
  if (!server_ || dsn_.empty()) return;  // moved from
  database_.reset();
  (void)run_written(*server_, statements::drop_database, name_);
}

std::expected<CampaignDatabase, std::string> CampaignDatabase::create(const std::string& server_dsn,
                                                                      const std::string& campaign) {
  const std::string name = fresh_name();
  auto server = Database::open(server_dsn);
  if (!server) return std::unexpected(server.error());
  auto dsn = postgres::with_database(server_dsn, name);
  if (!dsn) return std::unexpected(dsn.error());
  drop_abandoned(*server);
  if (auto claimed = server->query(statements::claim_name, {name}); !claimed)
    return std::unexpected(claimed.error());
  if (auto made = run_written(*server, statements::create_database, name); !made)
    return std::unexpected("no fresh database: " + made.error());
  auto database = Database::open(*dsn);
  if (!database) {
    (void)run_written(*server, statements::drop_database, name);
    return std::unexpected(database.error());
  }
  return CampaignDatabase(std::move(*server), std::move(*database), std::move(*dsn), name,
                          campaign);
}

Done CampaignDatabase::make_table() {
  return nothing(database_->query(statements::plain_table));
}

Done CampaignDatabase::load(std::int64_t members) {
  if (auto loaded =
          database_->query(statements::load_members, {campaign_, std::to_string(members)});
      !loaded)
    return nothing(loaded);
  return nothing(database_->query(statements::analyze_members));
}

Done CampaignDatabase::run_file(const std::filesystem::path& file) {
  const auto script = postgres::read_sql_script(file);
  if (!script) return std::unexpected(script.error());
  return postgres::run_sql_script(*script, dsn_);
}

Done CampaignDatabase::migrate() {
  return postgres::run_sql_folder(deploy_folder() / "migrations", dsn_);
}

Done CampaignDatabase::replace_clock() {
  return run_file(deploy_folder() / "test_clock.sql");
}

Done CampaignDatabase::step_clock() {
  return run_file(deploy_folder() / "stepped_clock.sql");
}

Done CampaignDatabase::shift_now() {
  const auto script = postgres::parse_sql_script(statements::shift_now, "shift_now.sql");
  if (!script) return std::unexpected(script.error());
  if (auto done = postgres::run_sql_script(*script, dsn_); !done) return done;
  auto again = Database::open(dsn_);  // a session with the new search_path
  if (!again) return std::unexpected(again.error());
  database_ = std::move(*again);
  return {};
}

std::expected<std::optional<std::int64_t>, std::string> CampaignDatabase::opt_out(
    std::int64_t member) {
  const auto done = database_->query(
      statements::opt_out, {campaign_, std::to_string(member), std::to_string(system_clock_us())});
  if (!done) return std::unexpected(done.error());
  if (*done == 0) return std::nullopt;
  return system_clock_us();
}

std::expected<std::int64_t, std::string> CampaignDatabase::clock_us() {
  return number(database_->value(statements::clock));
}

Done CampaignDatabase::skip(core::Duration by) {
  return nothing(database_->query(statements::skip_clock, {std::to_string(by.count())}));
}

std::expected<std::int64_t, std::string> CampaignDatabase::busy_sessions() {
  return number(database_->value(statements::busy_sessions));
}

std::expected<Audience, std::string> CampaignDatabase::audience() {
  return read_audience(*database_, campaign_);
}

void CampaignDatabase::start_cost() {
  tells_cost_ = database_->query(statements::statement_cost_install).has_value() &&
                database_->query(statements::statement_cost_start).has_value();
}

std::optional<std::chrono::nanoseconds> CampaignDatabase::cost() {
  if (!tells_cost_) return std::nullopt;
  const auto spent = number(database_->value(statements::statement_cost));
  if (!spent) return std::nullopt;
  return std::chrono::nanoseconds(*spent);
}

void cut_run_sessions(const std::string& server_dsn) {
  if (auto server = Database::open(server_dsn))
    (void)server->query(statements::cut_sessions, {std::to_string(::getpid())});
}

std::expected<Audience, std::string> read_audience(Database& database,
                                                   const std::string& campaign) {
  Audience audience;
  std::string last = "-9223372036854775808";
  for (bool more = true; more;) {
    more = false;
    const auto page =
        database.query(statements::members_page, {campaign, last}, [&](const Row& row) {
          Member member{
              .id = row.integer(0), .opted_out_us = {}, .truth = truth_named(row.text(3))};
          if (!row.is_null(2)) member.opted_out_us = row.integer(2);
          audience.add(member, row.text(1));
          last = row.text(0);
          more = true;
        });
    if (!page) return std::unexpected(page.error());
  }
  audience.seal();
  return audience;
}

}  // namespace harness
