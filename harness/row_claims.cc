#include "harness/row_claims.h"

#include <fmt/format.h>

#include <vector>

#include "embedded/harness/statements.h"
#include "harness/campaign_database.h"
#include "harness/postgres/sql_script.h"
#include "harness/run.h"

namespace harness {
namespace {

using std::chrono::steady_clock;

constexpr const char* campaign = "row-claims";
// One a process, as that sender has it.
constexpr const char* token = "3f0d4b9e-7c55-4f0e-9a06-0c9b2a7d1e11";

std::string repeated(std::string_view value, std::size_t times) {
  std::string array = "{";
  for (std::size_t i = 0; i < times; ++i) {
    if (i > 0) array += ',';
    array += value;
  }
  return array + "}";
}

// Returns how many members it claimed and recorded as sent; 0: none is left.
std::expected<std::int64_t, std::string> one_round(Database& database) {
  std::string ids = "{";
  std::size_t count = 0;
  const auto claimed =
      database.query(statements::row_claim, {campaign, token}, [&](const Row& row) {
        if (count++ > 0) ids += ',';
        ids += row.text(0);
      });
  if (!claimed) return claimed;
  if (count == 0) return 0;
  return database.query(statements::row_record,
                        {campaign, token, ids + "}", repeated("sent", count),
                         repeated("f", count), repeated("0", count)});
}

}  // namespace

std::expected<std::chrono::nanoseconds, std::string> measure_row_claims(
    const std::string& server_dsn, std::int64_t members) {
  auto fresh = CampaignDatabase::create(server_dsn, campaign);
  if (!fresh) return std::unexpected(fresh.error());
  if (auto done = fresh->load(members); !done) return std::unexpected(done.error());
  const auto script = postgres::parse_sql_script(statements::row_claims_table, "row_claims_table.sql");
  if (!script) return std::unexpected(script.error());
  if (auto done = postgres::run_sql_script(*script, fresh->dsn()); !done)
    return std::unexpected(done.error());
  auto database = Database::open(fresh->dsn());
  if (!database) return std::unexpected(database.error());

  const auto begin = steady_clock::now();
  std::int64_t recorded = 0;
  while (true) {
    if (stop_asked()) return std::unexpected(std::string("stopped"));
    const auto round = one_round(*database);
    if (!round) return std::unexpected(round.error());
    if (*round == 0) break;
    recorded += *round;
  }
  if (recorded != members)
    return std::unexpected(
        fmt::format("the row claims recorded {} of {} members", recorded, members));
  return std::chrono::nanoseconds(steady_clock::now() - begin) / std::max<std::int64_t>(members, 1);
}

}  // namespace harness
