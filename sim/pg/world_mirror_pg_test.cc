// Whole worlds against PostgreSQL: the statements of real workers, in schedules with kills, leases
// that end, held transactions and statements that land late. A failure names the world and the
// calls up to the first difference; PostgreSQL is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fmt/format.h"
#include "sim/pg/mirrored_run.h"
#include "sim/pg/testing/stepped_server.h"
#include "sim/world/world.h"

namespace sim::pg {
namespace {

constexpr std::uint64_t worlds = 700;
constexpr std::uint64_t worlds_searched = 500;

struct Sum {
  std::int64_t steps = 0, waits = 0, given_up = 0;
};

void mirror_many(WorldSettings (*settings_of)(std::uint64_t), Sum& sum) {
  testing::SteppedServer server;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    const MirroredRun run = run_mirrored(settings_of(seed), seed, server.stepped());
    ASSERT_FALSE(run.difference) << *run.difference;
    sum.steps += run.steps;
    sum.waits += run.waits;
    sum.given_up += run.ended ? 0 : 1;
  }
  fmt::print("{} steps, 0 differences; {} calls waited for a lock, {} of {} worlds were given up\n",
             sum.steps, sum.waits, sum.given_up, worlds);
}

// The two together make 100,000 steps in each run of all tests.
TEST(WorldMirror, AWorldTakesTheCourseOfPostgres) {
  Sum sum;
  mirror_many(mirrored_settings, sum);
  EXPECT_GE(sum.steps, 50'000);
}

TEST(WorldMirror, AWorldOfHeldTransactionsTakesTheCourseOfPostgres) {
  Sum sum;
  mirror_many(crowded_settings, sum);
  EXPECT_GE(sum.steps, 50'000);
  EXPECT_GE(sum.waits, 20);
  EXPECT_LT(sum.given_up, static_cast<std::int64_t>(worlds / 20));
}

// The default schedule of a whole night, as large as the sender's own settings make it.
TEST(WorldMirror, ANightOfTenThousandTakesTheCourseOfPostgres) {
  testing::SteppedServer server;
  WorldSettings settings;
  settings.members = 10'000;
  settings.workers = 1;
  settings.steps_max = 1'000'000;
  settings.fine_time = false;
  World world(settings);
  WorldMirror mirror(server.stepped(), setup_of(settings));
  std::vector<DatabaseCall> calls;
  world.log_calls(&calls);
  std::vector<Offer> offers;
  while (!world.over()) {
    world.offers(offers);
    world.apply(offers.front());
    const auto difference = mirror.follow(calls);
    ASSERT_FALSE(difference) << *difference;
    calls.clear();
  }
  const auto difference = mirror.compare_rows(world.database());
  ASSERT_FALSE(difference) << *difference;
  EXPECT_FALSE(world.verdict()) << world.verdict()->what;
  fmt::print("{} steps, 0 differences\n", mirror.steps());
}

// Broken on purpose: PostgreSQL's statement without a part, not the model's.
TEST(WorldMirror, AStatementThatLostAPartIsSeen) {
  testing::SteppedServer server;
  static constexpr std::array planted{Conjunct::claim_batch_lease_expired,
                                      Conjunct::claim_batch_first_since,
                                      Conjunct::claim_batch_set_token,
                                      Conjunct::claim_batch_not_in_pool,
                                      Conjunct::claim_retries_lease_expired,
                                      Conjunct::recheck_opted_out,
                                      Conjunct::recheck_pending,
                                      Conjunct::record_batch_token,
                                      Conjunct::record_batch_rest_opted_out,
                                      Conjunct::record_retries_clear_token};
  std::size_t tried = 0;
  for (const SqlMutant& sql : sql_mutants()) {
    if (std::ranges::find(planted, sql.part) == planted.end()) continue;
    ++tried;
    MutantStatement mutant(sql);
    bool seen = false;
    for (std::uint64_t seed = 1; !seen && seed <= worlds_searched; ++seed) {
      const WorldSettings settings = mirrored_settings(seed);
      seen = run_mirrored(settings, seed, server.stepped(), &mutant).difference.has_value();
    }
    EXPECT_TRUE(seen) << conjunct_name(sql.part);
  }
  EXPECT_EQ(tried, planted.size());
}

// And the model's, not PostgreSQL's.
TEST(WorldMirror, AModelThatLostAPartIsSeen) {
  testing::SteppedServer server;
  for (const Conjunct part : {Conjunct::claim_batch_lease_expired, Conjunct::record_batch_token}) {
    bool seen = false;
    for (std::uint64_t seed = 1; !seen && seed <= worlds_searched; ++seed) {
      WorldSettings settings = mirrored_settings(seed);
      settings.dropped = {part};
      seen = run_mirrored(settings, seed, server.stepped()).difference.has_value();
    }
    EXPECT_TRUE(seen) << conjunct_name(part);
  }
}

}  // namespace
}  // namespace sim::pg
