// A schedule's steps on PostgreSQL, and what came of each as text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/pg/schedule.h"
#include "sim/pg/sql_mutant.h"
#include "sim/pg/stepped_session.h"

namespace sim::pg {

// A database for one schedule after the other. A schedule begins with a campaign of its own; what
// earlier ones left is cleared away now and then.
//
// Requires: migrated, with deploy/stepped_clock.sql, and used by nobody else.
class SteppedDatabase {
 public:
  explicit SteppedDatabase(std::string dsn);

  // Returns: its name.
  std::string new_campaign(const Schedule& schedule);
  // As many as a schedule can have; kept, because a plan is made once a connection.
  std::vector<SteppedSession>& sessions(std::size_t planner);
  Connection& beside() { return observer_.connection(); }

 private:
  std::string dsn_;
  Observer observer_;
  std::map<std::size_t, std::vector<SteppedSession>> sessions_;
  std::int64_t campaigns_ = 0;
};

class PostgresSide {
 public:
  // mutant: of one statement, instead of ours; nullptr: none.
  PostgresSide(SteppedDatabase& database, const Schedule& schedule, MutantStatement* mutant);

  // As ModelSide's. expected: as SteppedSession's.
  std::string play(const Step& step, Expected expected);
  std::string rows();

 private:
  std::string request(const Step& step, Expected expected);
  std::string carried_on(bool ask);
  core::pg::Call call(const ModelDatabase::Request& request) const;
  std::string said(const ModelDatabase::Request& request, const core::pg::Result& result) const;
  std::vector<int> others(SessionId session) const;

  SteppedDatabase& database_;
  MutantStatement* mutant_;
  std::vector<SteppedSession>& sessions_;
  core::pg::Context context_;
  std::vector<ModelDatabase::Request> asked_;  // last, by session
};

}  // namespace sim::pg
