// One schedule on two sides, compared after every step: done or waiting, the answer or the
// SQLSTATE, who was carried on and with what answer; and every few steps all rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/pg/postgres_side.h"
#include "sim/pg/schedule.h"

namespace sim::pg {

// What one side said of a schedule, step by step.
struct Course {
  std::vector<std::string> said;
  std::vector<std::string> rows;  // empty for steps after which they were not read
};

// mutant: of a statement on PostgreSQL, and of the model; nullptr: none. With one a second session
// may come to wait, and who then comes first is open: the comparison ends there.
// Returns: the first difference as text, with the seed and both sides; nothing: none. course:
// PostgreSQL's, up to there.
std::optional<std::string> compare(const Schedule& schedule, SteppedDatabase& database,
                                   Course& course, MutantStatement* mutant = nullptr);

// The model's.
Course course_of_model(const Schedule& schedule);

// Whether the model without that part of a statement takes another course.
bool is_seen(Conjunct dropped, const Schedule& schedule, const Course& course);

}  // namespace sim::pg
