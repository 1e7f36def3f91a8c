// A campaign in a database of its own, and senders on it.
#pragma once

#include <memory>

#include "core/pg/testing/database.h"
#include "core/testing/worker_driver.h"

namespace core::pg::testing {

// A worker with a connection of its own. Destroying it is a crash: nothing is released.
struct Sender {
  Sender(Database& database, const Policy& policy, std::uint64_t seed)
      : store(database.store(policy)), driver(policy, *store, seed) {}
  std::unique_ptr<PgStore> store;
  core::testing::WorkerDriver driver;
};

struct Campaign {
  Campaign() { policy.rate_per_s = 0; }

  std::unique_ptr<Sender> sender(std::uint64_t seed = 1) {
    return std::make_unique<Sender>(database, policy, seed);
  }
  // One whose waiting moves the database's clock.
  std::unique_ptr<Sender> lone_sender(std::uint64_t seed = 1) {
    auto made = sender(seed);
    made->driver.on_passing = [this](Duration duration) { database.pass(duration); };
    return made;
  }
  void to_retry_pool() { sql().run("update campaign_targets set not_before = campaign_clock()"); }
  void start_over(std::int64_t members) {
    sql().run("delete from campaign_batches");
    sql().run("delete from campaign_targets");
    sql().run("update campaigns set plan_version = 0");
    database.add_members(1, members);
  }
  Session& sql() { return database.sql(); }
  std::string states() {  // "7 sent, 3 pending"
    return sql().value(
        "select coalesce(string_agg(n || ' ' || state, ', ' order by state), '') from"
        " (select state, count(*) as n from campaign_targets group by state) s");
  }
  std::int64_t count(const std::string& condition) {
    return sql().number("select count(*) from campaign_targets where " + condition);
  }

  Database database;
  Policy policy;
};

inline std::vector<MemberId> members(std::int64_t first, std::int64_t last) {
  std::vector<MemberId> ids;
  for (std::int64_t id = first; id <= last; ++id) ids.push_back(MemberId(id));
  return ids;
}

}  // namespace core::pg::testing
