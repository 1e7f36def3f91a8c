// Planted SQL bugs: a statement's text without one of its parts, and the model's name for that
// part.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/pg/codec.h"
#include "sim/database/conjunct.h"

namespace sim::pg {

struct SqlMutant {
  Conjunct part{};
  std::string_view statement;
  std::string_view text;         // occurs once in it
  std::string_view replacement;  // what stands there instead
};

std::span<const SqlMutant> sql_mutants();

// A mutant's statement as it is sent. Ownership: calls point into it.
class MutantStatement {
 public:
  explicit MutantStatement(const SqlMutant& mutant) : mutant_(mutant) {}
  // Changes the call if it is of the mutant's statement. Requires: the text is there, once.
  void apply(core::pg::Call& call);
  Conjunct part() const { return mutant_.part; }

 private:
  SqlMutant mutant_;
  std::string name_;  // another than the statement's: it is prepared apart
  std::string sql_;
};

}  // namespace sim::pg
