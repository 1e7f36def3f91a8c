#include "fake_mail/json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace fake_mail {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t any_count = std::numeric_limits<std::int64_t>::max();
// A duration has to survive being added to a point in time.
constexpr std::int64_t duration_us_max = std::int64_t{100} * 366 * 24 * 3600 * 1'000'000;

struct Refused {
  std::string why;
};

// Reads the fields of one object and remembers which ones it knows.
class Fields {
 public:
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw Refused{where_ + ": must be a JSON object"};
  }

  const Json* find(const char* name) {
    known_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  template <typename Int>
  void read(const char* name, Int& to, std::int64_t least, std::int64_t most) {
    const Json* value = find(name);
    if (value == nullptr) return;
    const bool fits = value->is_number_integer() &&
                      !(value->is_number_unsigned() && value->get<std::uint64_t>() > any_count) &&
                      value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most;
    if (!fits)
      throw Refused{where_ + "." + name + ": must be an integer from " + std::to_string(least) +
                    " to " + std::to_string(most) + ", not " + value->dump()};
    to = static_cast<Int>(value->get<std::int64_t>());
  }

  void read(const char* name, core::Duration& to) {
    std::int64_t us = to.count();
    read(name, us, 0, duration_us_max);
    to = core::Duration(us);
  }

  void read(const char* name, bool& to) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) throw Refused{where_ + "." + name + ": must be true or false"};
    to = value->get<bool>();
  }

  // Requires: every field was asked for.
  void refuse_unknown() const {
    for (const auto& [name, value] : object_.items())
      if (!known_.contains(name)) throw Refused{where_ + "." + name + ": unknown field"};
  }

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> known_;
};

std::vector<LatencyShare> read_latency(const Json& list) {
  std::vector<LatencyShare> shares;
  std::int64_t sum = 0;
  const auto refuse = [] {
    throw Refused{
        "behaviour.latency_us: must be [[permille, us], ...] with shares that add up to 1000"};
  };
  if (!list.is_array()) refuse();
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_integer() ||
        !pair[1].is_number_integer())
      refuse();
    const auto permille = pair[0].get<std::int64_t>();
    const auto us = pair[1].get<std::int64_t>();
    if (permille < 0 || permille > 1000 || us < 0 || us > duration_us_max) refuse();
    sum += permille;
    shares.push_back({static_cast<int>(permille), core::Duration(us)});
  }
  if (!shares.empty() && sum != 1000) refuse();
  return shares;
}

std::vector<Rule> read_rules(const Json& list) {
  if (!list.is_array()) throw Refused{"behaviour.rules: must be a list of objects"};
  std::vector<Rule> rules;
  for (const Json& object : list) {
    Fields fields(object, "behaviour.rules[" + std::to_string(rules.size()) + "]");
    Rule& rule = rules.emplace_back();
    fields.read("status", rule.status, 0, 599);
    if (rule.status > 0 && rule.status < 200)
      throw Refused{"behaviour.rules.status: must be 200 to 599, or 0 for no answer"};
    fields.read("every", rule.every, 1, any_count);
    fields.read("tries", rule.tries, 0, any_count);
    fields.refuse_unknown();
  }
  return rules;
}

Behaviour read_behaviour(const Json& object) {
  Fields fields(object, "behaviour");
  Behaviour behaviour;
  if (const Json* seed = fields.find("seed")) {
    if (!seed->is_number_unsigned()) throw Refused{"behaviour.seed: must be an integer >= 0"};
    behaviour.seed = seed->get<std::uint64_t>();
  }
  fields.read("limit_per_s", behaviour.limit_per_s, 0, 1'000'000);
  fields.read("block_us", behaviour.block);
  if (const Json* list = fields.find("latency_us")) behaviour.latency = read_latency(*list);
  fields.read("dedupe_window_us", behaviour.dedupe_window);
  fields.read("ignores_keys", behaviour.ignores_keys);
  if (const Json* list = fields.find("rules")) behaviour.rules = read_rules(*list);
  fields.read("permille_503", behaviour.permille_503, 0, 1000);
  fields.read("permille_422", behaviour.permille_422, 0, 1000);
  fields.read("permille_429", behaviour.permille_429, 0, 1000);
  fields.read("permille_accept_then_503", behaviour.permille_accept_then_503, 0, 1000);
  fields.read("permille_accept_then_silence", behaviour.permille_accept_then_silence, 0, 1000);
  fields.refuse_unknown();
  if (behaviour.permille_503 + behaviour.permille_422 + behaviour.permille_429 +
          behaviour.permille_accept_then_503 + behaviour.permille_accept_then_silence >
      1000)
    throw Refused{"behaviour.permille_*: must add up to 1000 or less"};
  return behaviour;
}

Counters read_counters(const Json& object) {
  Counters counters;
  counters.accepted = object.at("accepted");
  counters.accepted_members = object.at("accepted_members");
  counters.requests = object.at("requests");
  counters.repeats = object.at("repeats");
  counters.refused = object.at("refused");
  counters.open_requests = object.at("open_requests");
  counters.max_in_any_second = object.at("max_in_any_second");
  for (const auto& [owner, counts] : object.at("by_owner").items())
    counters.by_owner[owner] = {counts.at("accepted"), counts.at("requests"),
                                counts.at("connections")};
  return counters;
}

template <typename Value>
std::expected<Value, std::string> read(std::string_view text, Value (*reader)(const Json&)) {
  try {
    return reader(Json::parse(text));
  } catch (const Refused& refused) {
    return std::unexpected(refused.why);
  } catch (const Json::exception& error) {
    return std::unexpected(std::string("not the JSON that was expected: ") + error.what());
  }
}

}  // namespace

std::string to_json(const Behaviour& behaviour) {
  Json latency = Json::array();
  for (const LatencyShare& share : behaviour.latency)
    latency.push_back({share.permille, share.latency.count()});
  Json rules = Json::array();
  for (const Rule& rule : behaviour.rules)
    rules.push_back({{"status", rule.status}, {"every", rule.every}, {"tries", rule.tries}});
  return Json{{"seed", behaviour.seed},
              {"limit_per_s", behaviour.limit_per_s},
              {"block_us", behaviour.block.count()},
              {"latency_us", latency},
              {"dedupe_window_us", behaviour.dedupe_window.count()},
              {"ignores_keys", behaviour.ignores_keys},
              {"rules", rules},
              {"permille_503", behaviour.permille_503},
              {"permille_422", behaviour.permille_422},
              {"permille_429", behaviour.permille_429},
              {"permille_accept_then_503", behaviour.permille_accept_then_503},
              {"permille_accept_then_silence", behaviour.permille_accept_then_silence}}
      .dump();
}

std::string to_json(const Counters& counters) {
  Json by_owner = Json::object();
  for (const auto& [owner, counts] : counters.by_owner)
    by_owner[owner] = {{"accepted", counts.accepted},
                       {"requests", counts.requests},
                       {"connections", counts.connections}};
  return Json{{"accepted", counters.accepted},
              {"accepted_members", counters.accepted_members},
              {"requests", counters.requests},
              {"repeats", counters.repeats},
              {"refused", counters.refused},
              {"open_requests", counters.open_requests},
              {"max_in_any_second", counters.max_in_any_second},
              {"by_owner", by_owner}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::expected<Behaviour, std::string> behaviour_from_json(std::string_view text) {
  return read<Behaviour>(text, read_behaviour);
}

std::expected<Counters, std::string> counters_from_json(std::string_view text) {
  return read<Counters>(text, read_counters);
}

}  // namespace fake_mail
