#include "sim/pg/compare.h"

#include "fmt/format.h"
#include "sim/pg/model_side.h"
#include "sim/pg/text.h"

namespace sim::pg {
namespace {

constexpr std::size_t rows_every = 20;  // steps

bool reads_rows(const Schedule& schedule, std::size_t step) {
  return step % rows_every == rows_every - 1 || step + 1 == schedule.steps.size();
}

std::string difference(const Schedule& schedule, std::size_t step, const std::string& model,
                       const std::string& postgres) {
  std::string all =
      fmt::format("seed {}, {}, {} sessions, batches of {}, a lease of {} us\n", schedule.seed,
                  planner_settings()[schedule.planner].name, schedule.sessions,
                  schedule.policy.batch, schedule.policy.lease.count());
  for (std::size_t i = 0; i <= step; ++i)
    all += fmt::format("step {:2} {}\n", i, text(schedule.steps[i]));
  return all + "model:      " + model + "\nPostgreSQL: " + postgres + '\n';
}

}  // namespace

std::optional<std::string> compare(const Schedule& schedule, SteppedDatabase& database,
                                   Course& course, MutantStatement* mutant) {
  ModelSide model(schedule);
  if (mutant != nullptr) model.model().drop(mutant->part());
  PostgresSide postgres(database, schedule, mutant);
  course = {};
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const std::string expected = model.play(schedule.steps[i]);
    const std::string& said =
        course.said.emplace_back(postgres.play(schedule.steps[i], model.came_of_it()));
    std::string& rows = course.rows.emplace_back();
    if (said != expected) return difference(schedule, i, expected, said);
    if (model.model().waiters() > 1) return std::nullopt;
    if (!reads_rows(schedule, i)) continue;
    rows = postgres.rows();
    if (rows != model.rows()) return difference(schedule, i, '\n' + model.rows(), '\n' + rows);
  }
  return std::nullopt;
}

Course course_of_model(const Schedule& schedule) {
  ModelSide model(schedule);
  Course course;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    course.said.push_back(model.play(schedule.steps[i]));
    course.rows.push_back(reads_rows(schedule, i) ? model.rows() : "");
  }
  return course;
}

bool is_seen(Conjunct dropped, const Schedule& schedule, const Course& course) {
  ModelSide model(schedule);
  model.model().drop(dropped);
  for (std::size_t i = 0; i < course.said.size(); ++i) {
    if (model.play(schedule.steps[i]) != course.said[i]) return true;
    if (!course.rows[i].empty() && model.rows() != course.rows[i]) return true;
  }
  return false;
}

}  // namespace sim::pg
