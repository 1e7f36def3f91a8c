#include "reports/json.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "reports/expectations.h"
#include "reports/field_values.h"

namespace reports {
namespace {

using Json = nlohmann::ordered_json;

Json value_of(const RunResult& run, const SenderResult& sender, scenarios::Field field) {
  const auto amount = amount_of(run, sender, field);
  if (!amount) return nullptr;
  if (amount->unit == 1) return amount->count;
  // The nearest double to the decimal text, so that it prints as that text.
  return std::strtod(amount_text(*amount).c_str(), nullptr);
}

Json checks_of(const SenderResult& sender) {
  Json out = Json::array();
  for (const Check& check : sender.checks)
    out.push_back(
        {{"claim", check.claim}, {"seen", check.seen}, {"verdict", verdict_name(check.verdict)}});
  return out;
}

Json sender_of(const RunResult& run, const SenderResult& sender) {
  Json out;
  out["sender"] = sender.sender;
  if (!sender.choice.empty()) out["choice"] = sender.choice;
  out["verdict"] = verdict_name(verdict_of(run, sender));
  for (const scenarios::Field field : scenarios::kAllFields) {
    const std::string name(field_name(field));
    if (field == scenarios::Field::exit_codes)
      out[name] = sender.exit_codes;
    else if (!is_of_some_runs_only(field) || amount_of(run, sender, field))
      out[name] = value_of(run, sender, field);
  }
  out["db_source"] = sender.db_source;
  if (!sender.ended_early.empty()) out["ended_early"] = sender.ended_early;
  out["checks"] = checks_of(sender);
  out["notes"] = sender.notes;
  return out;
}

}  // namespace

std::string to_json(const RunResult& run) {
  Json out;
  out["scenario"] = run.scenario;
  out["title"] = run.title;
  out["run"] = run.run;
  out["verdict"] = verdict_name(run.verdict);
  out["seed"] = run.seed;
  out["tier"] = run.tier;
  out["postgres"] = {{"version", run.postgres_version}, {"source", run.postgres_source}};
  out["senders"] = Json::array();
  for (const SenderResult& sender : run.senders) out["senders"].push_back(sender_of(run, sender));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reports
