// A second database that is asked what a simulated night asks of its model: real PostgreSQL, with
// --tier sim-pg.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/database/database_call.h"
#include "sim/database/model_database.h"
#include "sim/world/settings.h"

namespace harness {

class Mirror {
 public:
  virtual ~Mirror() = default;
  // Both return the first difference as text; after one the mirror is of no more use.
  virtual std::optional<std::string> follow(std::span<const sim::DatabaseCall> calls) = 0;
  virtual std::optional<std::string> compare_rows(const sim::ModelDatabase& model) = 0;
  virtual std::int64_t steps() const = 0;
};

// One for each night of the reference sender. Empty: the model alone.
using MakeMirror = std::function<std::unique_ptr<Mirror>(const sim::WorldSettings&)>;

}  // namespace harness
