// The model against PostgreSQL, with fixed seeds. A failure prints the schedule up to the first
// difference; PostgreSQL is right.
#include <gtest/gtest.h>

#include <algorithm>

#include "fmt/format.h"
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

// field case: F17
TEST(Stepped, TheModelTakesTheCourseOfPostgres) {
  testing::SteppedServer server;
  std::size_t all = 0, waits = 0, carried_on = 0, circles = 0;
  for (const Schedule& schedule : chosen_schedules()) {
    Course course;
    const auto difference = compare(schedule, server.stepped(), course);
    ASSERT_FALSE(difference) << *difference;
    all += schedule.steps.size();
    waits += count(course, "waits");
    carried_on += count(course, "goes on");
    circles += count(course, "40P01");
  }
  fmt::print("{} steps, 0 differences\n", all);
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

// What the model does without a part is what PostgreSQL does without its text, in the first
// schedules that tell it from the sound statement.
TEST(Stepped, APlantedBugIsTheSameOnBothSides) {
  testing::SteppedServer server;
  for (const SqlMutant& planted : sql_mutants()) {
    MutantStatement mutant(planted);
    int played = 0;
    for (std::uint64_t seed = 1; played < 2; ++seed) {
      ASSERT_LT(seed, seeds_searched) << conjunct_name(planted.part);
      const Schedule schedule = draw_schedule(seed, steps);
      const Course sound = course_of_model(schedule);
      if (!is_seen(planted.part, schedule, sound)) continue;
      ++played;
      Course course;
      const auto difference = compare(schedule, server.stepped(), course, &mutant);
      EXPECT_FALSE(difference) << conjunct_name(planted.part) << '\n' << *difference;
    }
  }
}

core::pg::Call call(const core::StoreCommand& command, const std::string& campaign) {
  return core::pg::encode(command, {campaign, campaign, core::Policy()});
}

// A campaign of three members in one batch, and sessions on it.
struct SteppedSessions : testing::SteppedServer {
  std::string campaign;
  core::DbTime now{std::chrono::hours(1)};

  SteppedSessions() {
    Schedule schedule;
    schedule.priorities = {0, 0, 0};
    campaign = stepped().new_campaign(schedule);
    start(0, call(core::Plan{0}, campaign), Ending::at_once, Expected::done);
  }
  std::vector<int> all_but(std::size_t session) {
    std::vector<int> others;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != session) others.push_back(stepped().session(0, i).process());
    }
    return others;
  }
  std::optional<core::pg::Result> start(std::size_t session, const core::pg::Call& request,
                                        Ending ending, Expected expected) {
    return stepped().session(0, session).start(request, now, ending, all_but(session), expected);
  }
  std::optional<core::pg::Result> carry_on(std::size_t session) {
    return stepped().session(0, session).carry_on(all_but(session));
  }
};

// It is the text of the statement that is stepped.
TEST(SteppedSession, AClaimWithoutSkipLockedIsSeenToWait) {
  SteppedSessions at;
  core::pg::Call claim = call(core::ClaimBatch{{1, 1}}, at.campaign);
  std::string sql(claim.statement.sql);
  const std::string clause = " skip locked";
  const std::size_t place = sql.rfind(clause);
  ASSERT_NE(place, std::string::npos);
  sql.erase(place, clause.size());

  ASSERT_TRUE(at.start(0, claim, Ending::held, Expected::done));
  claim.statement = {"claim_batch_that_waits", sql};
  EXPECT_FALSE(at.start(1, claim, Ending::at_once, Expected::waits));
  EXPECT_FALSE(at.carry_on(1));
  at.stepped().session(0, 0).rollback();
  const auto result = at.carry_on(1);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->rows.at(0).at(1)) << "it takes the batch that is free again";
}

// As the model's queue. After a rollback, which leaves the row as it was: after a commit all who
// waited run at once to the row's new version, and who gets there first is anybody's guess.
TEST(SteppedSession, WhoWaitsIsServedInOrder) {
  SteppedSessions at;
  const core::pg::Call pause = call(core::Pause{std::chrono::seconds(1)}, at.campaign);
  ASSERT_TRUE(at.start(0, pause, Ending::held, Expected::done));
  EXPECT_FALSE(at.start(2, pause, Ending::held, Expected::waits));
  EXPECT_FALSE(at.start(1, pause, Ending::held, Expected::waits));
  at.stepped().session(0, 0).rollback();
  EXPECT_TRUE(at.carry_on(2));
  EXPECT_FALSE(at.carry_on(1));
  at.stepped().session(0, 2).rollback();
  EXPECT_TRUE(at.carry_on(1));
  at.stepped().session(0, 1).rollback();
}

}  // namespace
}  // namespace sim::pg
