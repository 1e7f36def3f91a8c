// A schedule's steps on PostgreSQL, and what came of each as text.
#pragma once

#include <deque>
#include <map>
#include <optional>
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
  std::string new_campaign(const Setup& setup);
  // Numbered from 0, made when first asked for; kept, because a plan is made once a connection.
  SteppedSession& session(std::size_t planner, std::size_t number);
  void abandon_all(std::size_t planner);  // what a schedule that was given up has left
  Connection& beside() { return observer_.connection(); }

 private:
  std::string dsn_;
  Observer observer_;
  std::map<std::size_t, std::deque<SteppedSession>> sessions_;
  std::int64_t campaigns_ = 0;
};

class PostgresSide {
 public:
  // mutant: of one statement, instead of ours; nullptr: none.
  PostgresSide(SteppedDatabase& database, const Setup& setup, MutantStatement* mutant);

  // As ModelSide's. expected: as SteppedSession's.
  std::string play(const Step& step, Expected expected);
  std::string rows();

  // Nobody has anything open, or waits.
  bool all_closed() const;
  // Statements that can't wait, without a round trip each. Requires: all_closed(), a step at once
  // that will not fail, and nothing else is asked before all have been received.
  void send(const Step& step);
  std::string receive();  // as play(), of the earliest that was sent
  std::size_t sent() const { return sent_.size(); }

  // Which of the members that are due at the same time a limited claim takes is PostgreSQL's to
  // choose: until let_ties_go() it can choose only these.
  void hold_ties(const std::vector<core::ClaimedMember>& claimed);
  void let_ties_go();

 private:
  // A session of the schedule has one of the database's only while something of it is open, so that
  // most statements find a session that has their plan.
  struct Seat {
    std::optional<SessionId> taken_by;
    ModelDatabase::Request asked;  // last
  };
  std::size_t seat_of(SessionId session);
  SteppedSession& in(std::size_t seat) { return database_.session(planner_, seat); }
  void clear_seats();
  std::string request(std::size_t seat, const Step& step, Expected expected);
  std::string carried_on(bool ask);
  core::pg::Call call(const ModelDatabase::Request& request) const;
  std::string said(const ModelDatabase::Request& request, const core::pg::Result& result) const;
  std::vector<int> others(std::size_t seat);
  void add_member(int priority);

  SteppedDatabase& database_;
  MutantStatement* mutant_;
  std::size_t planner_;
  core::pg::Context context_;
  std::vector<Seat> seats_;
  std::deque<ModelDatabase::Request> sent_;
  bool holds_ties_ = false;
};

}  // namespace sim::pg
