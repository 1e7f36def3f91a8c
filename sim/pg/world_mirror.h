// A world's own statements on PostgreSQL: what its workers, its opt-outs and what outlived its
// processes asked of the model, in the schedule that was chosen, asked again and compared.
//
//   std::vector<DatabaseCall> calls;
//   world.log_calls(&calls);
//   WorldMirror mirror(database, setup_of(world.settings()));  // mirrored_run.h
//   while (!world.over()) {
//     world.apply(chosen);
//     if (auto difference = mirror.follow(calls)) fail(*difference);
//     calls.clear();
//   }
//   if (auto difference = mirror.compare_rows(world.database())) fail(*difference);
//
// Cost: what can't wait goes out without waiting for answers, up to 64 statements ahead; so a
// difference may be told some calls late, and names its own. compare_rows() reads every row: with
// 10,000 members, each some hundred calls.
//
// Limitations: not the loss of an acknowledged commit (database_crash). At most one session may
// wait: who of two comes first is PostgreSQL's to choose. While transactions are held open, only
// under planner settings that are ascending.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "sim/database/database_call.h"
#include "sim/pg/postgres_side.h"

namespace sim::pg {

class WorldMirror {
 public:
  // mutant: as PostgresSide's, which the model doesn't share.
  WorldMirror(SteppedDatabase& database, const Setup& setup, MutantStatement* mutant = nullptr);

  // Asks the same. Requires: a `went_on` comes together with the call that let it go on.
  // Returns: the first difference as text, with the last calls and both sides; nothing: none so
  // far. After one the mirror is of no more use.
  std::optional<std::string> follow(std::span<const DatabaseCall> calls);
  // All that was sent is answered then, and all rows are as the model has committed them.
  std::optional<std::string> compare_rows(const ModelDatabase& model);

  std::int64_t steps() const { return steps_; }  // calls followed, without those that went on

 private:
  std::optional<std::string> ask(const DatabaseCall& call, const std::string& expected);
  std::optional<std::string> receive(std::size_t left);
  std::string difference(std::size_t back, const std::string& model, const std::string& postgres);

  PostgresSide postgres_;
  std::deque<Step> last_;             // calls
  std::deque<std::string> expected_;  // of those sent
  std::int64_t steps_ = 0;
};

}  // namespace sim::pg
