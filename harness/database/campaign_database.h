// The fresh database that one sender works on: made, loaded, looked at and dropped again.
//
// Ownership: owns the database; the destructor drops it, whoever is still connected.
// Errors: one line; what was made is dropped by the destructor.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/time.h"
#include "harness/counting/audience.h"
#include "harness/database/database.h"

namespace harness {

using Done = std::expected<void, std::string>;

class CampaignDatabase {
 public:
  // server_dsn: any database of the server. First drops what killed runs left there.
  static std::expected<CampaignDatabase, std::string> create(const std::string& server_dsn,
                                                             const std::string& campaign);
  CampaignDatabase(CampaignDatabase&&) noexcept = default;
  CampaignDatabase& operator=(CampaignDatabase&&) = delete;
  ~CampaignDatabase();

  const std::string& dsn() const { return dsn_; }

  // The plain table, empty.
  Done make_table();
  // Members 1..n, analyzed. After a migration, not before it: fillfactor only reaches pages written
  // afterwards.
  Done load(std::int64_t members);
  // A .sql file of any number of statements, each in its own transaction.
  Done run_file(const std::filesystem::path& file);
  // The reference sender's schema, as it is deployed.
  Done migrate();
  // Lets skip() move campaign_clock().
  Done replace_clock();
  // campaign_clock() is what each session is told (deploy/stepped_clock.sql).
  Done step_clock();
  // An own now() for senders without campaign_clock(); skip() moves it.
  Done shift_now();

  // Returns the moment right after the commit, system clock microseconds; nullopt: it had opted out
  // before, or is no member.
  std::expected<std::optional<std::int64_t>, std::string> opt_out(std::int64_t member);

  std::expected<std::int64_t, std::string> clock_us();
  Done skip(core::Duration by);
  std::expected<std::int64_t, std::string> busy_sessions();

  // Members as the table has them. Opt-outs carry the table's own time.
  std::expected<Audience, std::string> audience();

  // Time the server spent in the campaign's statements since start_cost(); nullopt: it doesn't
  // tell.
  void start_cost();
  std::optional<std::chrono::nanoseconds> cost();

 private:
  CampaignDatabase(Database server, Database database, std::string dsn, std::string name,
                   std::string campaign);

  std::optional<Database> server_;
  std::optional<Database> database_;
  std::string dsn_;
  std::string name_;
  std::string campaign_;
  bool tells_cost_ = false;
};

// Ends what this process's run databases are doing, loads and --setup files included: whoever waits
// for an answer gets an error at once.
void cut_run_sessions(const std::string& server_dsn);

// Reads every member of `campaign` from any of the known tables.
std::expected<Audience, std::string> read_audience(Database& database, const std::string& campaign);

}  // namespace harness
