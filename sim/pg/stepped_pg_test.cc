// The model against PostgreSQL, with fixed seeds. A failure prints the schedule up to the first
// difference; PostgreSQL is right.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/pg/compare.h"
#include "sim/pg/testing/stepped_server.h"

namespace sim::pg {
namespace {

constexpr std::uint64_t random_seeds = 120;
constexpr std::uint64_t seeds_searched = 10'000;
constexpr int steps = 40;

std::vector<Conjunct> all_conjuncts() {
  std::vector<Conjunct> all;
  for (std::size_t i = 0; i < conjunct_count; ++i) all.push_back(static_cast<Conjunct>(i));
  return all;
}

// The first seeds, and of later ones those that see a part which none before saw. Looked for on the
// model, which takes 0.2 ms a schedule.
std::vector<Schedule> chosen_schedules() {
  std::vector<Schedule> chosen;
  std::vector<Conjunct> unseen = all_conjuncts();
  for (std::uint64_t seed = 1; seed <= seeds_searched; ++seed) {
    if (seed > random_seeds && unseen.empty()) break;
    Schedule schedule = draw_schedule(seed, steps);
    const Course course = course_of_model(schedule);
    const std::size_t now_seen =
        std::erase_if(unseen, [&](Conjunct part) { return is_seen(part, schedule, course); });
    if (seed <= random_seeds || now_seen > 0) chosen.push_back(std::move(schedule));
  }
  return chosen;
}

std::size_t count(const Course& course, std::string_view word) {
  const auto has = [word](const std::string& said) { return said.find(word) != said.npos; };
  return static_cast<std::size_t>(std::count_if(course.said.begin(), course.said.end(), has));
}

TEST(Stepped, TheModelTakesTheCourseOfPostgres) {
  testing::SteppedServer server;
  std::size_t waits = 0, carried_on = 0, circles = 0;
  for (const Schedule& schedule : chosen_schedules()) {
    Course course;
    const auto difference = compare(schedule, server.stepped(), course);
    ASSERT_FALSE(difference) << *difference;
    waits += count(course, "waits");
    carried_on += count(course, "goes on");
    circles += count(course, "40P01");
  }
  EXPECT_GE(waits, 50u);
  EXPECT_GE(carried_on, 50u);
  EXPECT_GE(circles, 1u);
}

// Broken on purpose: without any one of its parts, the model leaves the course that it shares with
// PostgreSQL in the same schedules.
TEST(Stepped, EveryPartOfAStatementIsSeen) {
  std::vector<Conjunct> unseen = all_conjuncts();
  for (const Schedule& schedule : chosen_schedules()) {
    const Course course = course_of_model(schedule);
    std::erase_if(unseen, [&](Conjunct part) { return is_seen(part, schedule, course); });
  }
  for (const Conjunct part : unseen)
    ADD_FAILURE() << conjunct_name(part) << " is left out, and no schedule sees it";
}

core::pg::Call call(const core::StoreCommand& command, const std::string& campaign) {
  return core::pg::encode(command, {campaign, campaign, core::Policy()});
}

// It is the text of the statement that is stepped.
TEST(SteppedSession, AClaimWithoutSkipLockedIsSeenToWait) {
  testing::SteppedServer server;
  Schedule schedule;
  schedule.priorities = {0, 0, 0};
  const std::string campaign = server.stepped().new_campaign(schedule);
  SteppedSession& a = server.stepped().sessions(0)[0];
  SteppedSession& b = server.stepped().sessions(0)[1];
  const core::DbTime now{std::chrono::hours(1)};
  ASSERT_TRUE(a.start(call(core::Plan{0}, campaign), now, Ending::at_once, {}, Expected::done));

  core::pg::Call claim = call(core::ClaimBatch{{1, 1}}, campaign);
  std::string sql(claim.statement.sql);
  const std::string clause = " skip locked";
  const std::size_t at = sql.rfind(clause);
  ASSERT_NE(at, std::string::npos);
  sql.erase(at, clause.size());

  ASSERT_TRUE(a.start(claim, now, Ending::held, {}, Expected::done));
  claim.statement = {"claim_batch_that_waits", sql};
  EXPECT_FALSE(b.start(claim, now, Ending::at_once, {a.process()}, Expected::waits));
  EXPECT_FALSE(b.carry_on({a.process()}));
  a.rollback();
  const auto result = b.carry_on({a.process()});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->rows.at(0).at(1)) << "it takes the batch that is free again";
}

}  // namespace
}  // namespace sim::pg
