// The seam to the database. Production has core/pg over libpqxx; the simulator has a model, and the
// same statements stepped over asynchronous libpq.
#pragma once

#include <string>
#include <vector>

#include "core/commands.h"

namespace core {

struct StoreReply {
  StoreAnswer answer;
  // Payload for the driver, parallel to Claimed::members: the worker never sees it.
  std::vector<std::string> addresses;
};

class Store {
 public:
  virtual ~Store() = default;
  // Runs one statement, in a transaction of its own. May block up to the statement time-out and a
  // connection attempt. Errors are in the answer's status: not_done means that nothing was changed,
  // in_doubt that nobody knows.
  virtual StoreReply execute(const StoreCommand& command) = 0;
};

}  // namespace core
