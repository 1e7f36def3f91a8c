// Commands of the worker as statements with text parameters, and rows as answers. No I/O, std only:
// whoever has a Transport runs the same text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/pg/transport.h"
#include "core/policy.h"
#include "core/store.h"

namespace core::pg {

struct Context {
  std::string campaign;
  std::string provider;  // key of its row in provider_rate
  Policy policy;
  int hours_version = 0;  // of the campaign's row, that the worker keeps to
};

struct Call {
  Statement statement;
  std::vector<std::string> params;
};

Call encode(const StoreCommand& command, const Context& context);

// Requires: result.sqlstate is empty and the rows are those of encode(command)'s statement.
StoreReply decode(const StoreCommand& command, const std::vector<Row>& rows);

// Whether an error with this SQLSTATE may be gone when the statement is sent again.
bool passes(const std::string& sqlstate);

// What a failed or lost statement means for the worker.
StoreAnswer failure(const Result& result);

// Array literals: {1,2}, {"a","b"}.
std::string array_of(const std::vector<MemberId>& members);
std::string array_of(const std::vector<std::string>& texts);

}  // namespace core::pg
