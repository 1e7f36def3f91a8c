// What was asked of a ModelDatabase and what it said, for whoever asks the same of another
// database.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/database/model_database.h"

namespace sim {

struct DatabaseCall {
  enum class Kind : std::uint8_t {
    at_once,   // the request in a transaction of its own, which ends with it
    held,      // the request in a transaction that stays open
    went_on,   // a request that waited has its lock and is done; follows whose end let it go on
    commit,    // of what the session has open, if anything: after an error nothing is
    rollback,  // the same; also of a request that waits
  };
  Kind kind = Kind::at_once;
  SessionId session = 0;
  ModelDatabase::Request request;           // at_once, held, went_on
  core::DbTime now{};                       // of the call; went_on: not the statement's own
  std::optional<core::StoreAnswer> answer;  // nothing: it waits for a lock
};

}  // namespace sim
