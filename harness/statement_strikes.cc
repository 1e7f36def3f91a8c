#include "harness/statement_strikes.h"

#include <fmt/format.h>

#include <utility>

namespace harness {
namespace {

using postgres_proxy::Fate;

Fate fate_of(const scenarios::Event& event) {
  if (event.does(scenarios::Deed::lose)) return Fate::lose;
  if (event.does(scenarios::Deed::lose_answer)) return Fate::lose_answer;
  if (event.does(scenarios::Deed::ghost)) return Fate::ghost;
  if (event.does(scenarios::Deed::refuse)) return Fate::refuse;
  return Fate::answered;
}

}  // namespace

std::expected<std::unique_ptr<postgres_proxy::Proxy>, std::string> strike_statements(
    const std::string& dsn, const std::vector<scenarios::Event>& events, Reports& reports) {
  std::vector<postgres_proxy::Strike> strikes;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].when == scenarios::Moment::statement)
      strikes.push_back({events[i].statement, events[i].nth, fate_of(events[i]), i});
  return postgres_proxy::Proxy::start(
      dsn, std::move(strikes),
      {.on_strike = [&reports](
                        std::size_t event,
                        int door) { reports.put(TriggerReport{event, fmt::format("p{}", door)}); },
       .on_broken = [&reports](const std::string& error) { reports.put(BrokenReport{error}); }});
}

}  // namespace harness
