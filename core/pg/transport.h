// One connection to PostgreSQL, reduced to what the store needs: run a named statement with text
// parameters, get rows of text back, or learn why not. Implemented over libpqxx (pqxx_transport.h);
// the simulator steps the same statements over asynchronous libpq.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace core::pg {

struct Statement {
  std::string_view name;
  std::string_view sql;
  // Reads every member of the campaign: 1.6 us each where the memory holds them, far more where it
  // doesn't. No claim waits for it, so it gets whole_campaign_timeout.
  bool whole_campaign = false;
};
constexpr Duration whole_campaign_timeout = std::chrono::minutes(10);

using Row = std::vector<std::optional<std::string>>;

enum class Delivery {
  not_sent,  // no connection: the statement never left
  answered,  // rows, or an error with its SQLSTATE
  lost,      // it left, and the connection broke before the answer
};

struct Result {
  Delivery delivery = Delivery::answered;
  std::vector<Row> rows;
  std::string sqlstate;  // empty: done
  std::string error;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // One statement in a transaction of its own. Reconnects by itself before a statement, never
  // during one.
  virtual Result execute(const Statement& statement, const std::vector<std::string>& params) = 0;
};

}  // namespace core::pg
