// core::Store on PostgreSQL, over any Transport, and what has to hold before a worker starts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/pg/claim_start.h"
#include "core/pg/codec.h"
#include "core/store.h"

namespace core::pg {

// Client wall time spent in a statement.
struct StatementCost {
  std::int64_t count = 0;
  Duration time{0};
};

class PgStore : public Store {
 public:
  PgStore(std::unique_ptr<Transport> transport, Context context);

  StoreReply execute(const StoreCommand& command) override;

  struct Refusal {
    bool for_good = true;  // false: the database is away
    std::string message;
  };
  struct Wanted {
    std::optional<std::string> template_name;  // nothing: as begun, or the campaign's id
    std::optional<std::int64_t> rate_per_s;  // nothing: as the provider's row says, or the policy's
    // Nothing: as the campaign's row says, or none.
    std::optional<std::string> window = {};
    std::optional<DbTime> not_after = {};
  };
  struct Opened {
    bool begun = false;  // the campaign's and the provider's rows exist
    bool cancelled = false;
    int plan_version = 0;
    std::string template_name;
    std::int64_t interval_us = 0;
    DbTime now{};
    std::string window;  // "22:00-06:00 Asia/Tokyo"; empty: at any time
    std::optional<DbTime> not_after;
    int hours_version = 0;  // of these two
    std::string warning;    // of a server version that was not tried
  };
  // Checks version, schema and what is wanted against what is there. Changes nothing.
  std::optional<Refusal> inspect(const Wanted& wanted, Opened& opened);
  // The same, and makes the campaign's and the provider's row if all is well. From then on a check
  // says that the campaign is halted when its hours are no longer those that were opened.
  std::optional<Refusal> open(const Wanted& wanted, Opened& opened);

  // campaign_clock(); nothing when the database did not answer.
  std::optional<DbTime> clock();

  // Members of the campaign still open, all workers together: batches that are not done count as
  // whole ones. Nothing when the database did not answer.
  std::optional<std::int64_t> remaining();

  struct Preview {
    Totals totals;
    std::vector<std::pair<MemberId, std::string>>
        members;  // the first of those who would be mailed
  };
  std::optional<Refusal> preview(std::int64_t members, Preview& preview);

  // Told of each statement, on the thread that runs it.
  using Observer = std::function<void(std::string_view name, Duration took, bool done)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  // By statement name, in order of the name.
  // May be called from any thread.
  std::map<std::string, StatementCost, std::less<>> costs() const;

 private:
  StoreReply execute(const StoreCommand& command, const Call& call, bool moved);
  Result run(const Statement& statement, const std::vector<std::string>& params);
  std::optional<Refusal> look(const Wanted& wanted, Opened& opened);
  std::optional<Refusal> check_schema(Opened& opened);
  std::optional<Refusal> check_row_claims();
  std::optional<Refusal> check_hours(const Wanted& wanted, const Opened& opened) const;
  Refusal refusal(const Result& result) const;

  std::unique_ptr<Transport> transport_;
  Context context_;
  mutable std::mutex mutex_;  // of costs_
  ClaimStart claim_start_;
  std::map<std::string, StatementCost, std::less<>> costs_;
  Observer observer_;
};

}  // namespace core::pg
