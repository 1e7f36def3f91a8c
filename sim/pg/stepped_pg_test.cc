// The model against PostgreSQL, with fixed seeds. A failure prints the schedule up to the first
// difference; PostgreSQL is right.
#include <gtest/gtest.h>

#include "sim/pg/compare.h"
#include "sim/pg/testing/stepped_server.h"

namespace sim::pg {
namespace {

constexpr std::uint64_t schedules = 150;
constexpr int steps = 40;

// Schedules and what PostgreSQL made of them, played once for all tests here.
struct Played {
  std::vector<Schedule> schedules;
  std::vector<Course> courses;
  std::string difference;  // the first
};

const Played& played() {
  static const Played all = [] {
    Played made;
    testing::SteppedServer server;
    for (std::uint64_t seed = 1; seed <= schedules && made.difference.empty(); ++seed) {
      made.schedules.push_back(draw_schedule(seed, steps));
      Course& course = made.courses.emplace_back();
      made.difference = compare(made.schedules.back(), server.stepped(), course).value_or("");
    }
    return made;
  }();
  return all;
}

TEST(Stepped, TheModelTakesTheCourseOfPostgres) {
  EXPECT_EQ(played().difference, "");
  EXPECT_EQ(played().schedules.size(), schedules);
}

}  // namespace
}  // namespace sim::pg
