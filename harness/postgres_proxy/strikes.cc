#include "harness/postgres_proxy/strikes.h"

#include <algorithm>
#include <utility>

#include "scenarios/statements.h"

namespace harness::postgres_proxy {

std::string_view scenario_name(std::string_view prepared) {
  if (prepared == "totals") return "count_totals";
  if (prepared == "read_back_batch" || prepared == "read_back_retries") return "read_back";
  const auto known = std::ranges::find(scenarios::kStatements, prepared);
  return known == scenarios::kStatements.end() ? std::string_view() : *known;
}

Strikes::Strikes(std::vector<Strike> strikes) : strikes_(std::move(strikes)) {}

bool Strikes::watch(std::string_view prepared) const {
  const std::string_view name = scenario_name(prepared);
  return !name.empty() && std::ranges::find(strikes_, name, &Strike::statement) != strikes_.end();
}

const Strike* Strikes::reached(std::string_view prepared) {
  const std::string_view name = scenario_name(prepared);
  const std::int64_t nth = ++seen_[std::string(name)];
  const auto struck = std::ranges::find_if(strikes_, [&](const Strike& strike) {
    return strike.statement == name && strike.nth == nth;
  });
  return struck == strikes_.end() ? nullptr : &*struck;
}

}  // namespace harness::postgres_proxy
