#include "sim/trace/settings_text.h"

#include <algorithm>

#include "core/assert.h"
#include "sim/trace/setting_field.h"

namespace sim {
namespace {

using namespace setting;

// A place in the settings, read-only or not as they are.
#define AT(place) ([](auto& s) -> auto& { return s.place; })

void add_policy(std::vector<Field>& to) {
  to.push_back(number("policy.batch", AT(policy.batch), {1, core::Policy::batch_most}));
  to.push_back(number("policy.lanes", AT(policy.lanes), {1, core::Policy::lanes_most}));
  to.push_back(duration("policy.lease", AT(policy.lease)));
  to.push_back(duration("policy.batch_budget", AT(policy.batch_budget)));
  to.push_back(duration("policy.connect_timeout", AT(policy.connect_timeout)));
  to.push_back(duration("policy.read_timeout", AT(policy.read_timeout)));
  to.push_back(duration("policy.statement_timeout", AT(policy.statement_timeout)));
  to.push_back(duration("policy.least_margin", AT(policy.least_margin)));
  to.push_back(number("policy.attempts_max", AT(policy.attempts_max), {1}));
  to.push_back(duration("policy.backoff", AT(policy.backoff)));
  to.push_back(duration("policy.backoff_max", AT(policy.backoff_max)));
  to.push_back(duration("policy.last_try", AT(policy.last_try)));
  to.push_back(duration("policy.retry_after_max", AT(policy.retry_after_max)));
  to.push_back(number("policy.failed_permille_max", AT(policy.failed_permille_max), {0, 1000}));
  to.push_back(duration("policy.recheck_max_age", AT(policy.recheck_max_age)));
  to.push_back(number("policy.recheck_group", AT(policy.recheck_group), {1}));
  to.push_back(
      number("policy.rate_per_s", AT(policy.rate_per_s), {0, core::Policy::rate_per_s_most}));
  to.push_back(number("policy.pace_permille", AT(policy.pace_permille), {1, 1000}));
  to.push_back(duration("policy.slot_max_lateness", AT(policy.slot_max_lateness)));
  to.push_back(duration("policy.min_interval", AT(policy.min_interval)));
  to.push_back(duration("policy.dedupe_window", AT(policy.dedupe_window)));
  to.push_back(duration("policy.dedupe_margin", AT(policy.dedupe_margin)));
  to.push_back(number("policy.suspect_after", AT(policy.suspect_after), {1}));
  to.push_back(number("policy.poison_after", AT(policy.poison_after), {1}));
  to.push_back(duration("policy.weather_pause", AT(policy.weather_pause)));
  to.push_back(duration("policy.weather_pause_max", AT(policy.weather_pause_max)));
  to.push_back(duration("policy.throttle_pause", AT(policy.throttle_pause)));
  to.push_back(duration("policy.record_at_least_every", AT(policy.record_at_least_every)));
  to.push_back(duration("policy.poll_max", AT(policy.poll_max)));
  to.push_back(duration("policy.database_patience", AT(policy.database_patience)));
  to.push_back(duration("policy.deadline", AT(policy.deadline)));
}

// The same number of the workers' policy, where that is another than the database's: after all of
// those, for what isn't said of the workers is as there.
Field of_workers(const Field& of_policy) {
  const auto as_policy = [](const core::Policy& policy) {
    WorldSettings settings;
    settings.policy = policy;
    return settings;
  };
  return {"worker" + of_policy.key.substr(of_policy.key.find('.')),
          [of_policy, as_policy](const WorldSettings& s) -> std::string {
            if (!s.worker_policy) return "";
            std::string value = of_policy.write(as_policy(*s.worker_policy));
            return value == of_policy.write(as_policy(s.policy)) ? "" : value;
          },
          [of_policy, as_policy](WorldSettings& s, std::string_view text) -> Read {
            WorldSettings workers = as_policy(s.worker_policy.value_or(s.policy));
            if (auto done = of_policy.read(workers, text); !done) return done;
            s.worker_policy = workers.policy;
            return {};
          }};
}

void add_provider(std::vector<Field>& to) {
  to.push_back(seed("provider.seed", AT(provider.seed)));
  to.push_back(number("provider.limit_per_s", AT(provider.limit_per_s)));
  to.push_back(duration("provider.block", AT(provider.block)));
  to.push_back(duration("provider.dedupe_window", AT(provider.dedupe_window)));
  to.push_back(yes_or_no("provider.ignores_keys", AT(provider.ignores_keys)));
  to.push_back(rules());
  to.push_back(latency());
  to.push_back(number("provider.permille_503", AT(provider.permille_503), {0, 1000}));
  to.push_back(number("provider.permille_422", AT(provider.permille_422), {0, 1000}));
  to.push_back(number("provider.permille_429", AT(provider.permille_429), {0, 1000}));
  to.push_back(number("provider.permille_accept_then_503", AT(provider.permille_accept_then_503),
                      {0, 1000}));
  to.push_back(number("provider.permille_accept_then_silence",
                      AT(provider.permille_accept_then_silence), {0, 1000}));
}

std::vector<Field> all_fields() {
  std::vector<Field> fields;
  fields.push_back(name());
  fields.push_back(bug());
  fields.push_back(dropped());
  fields.push_back(ignored());
  fields.push_back(number("members", AT(members), {1, 10'000'000}));
  fields.push_back(number("priorities", AT(priorities), {1, 1000}));
  fields.push_back(number("workers", AT(workers), {1, 1000}));
  fields.push_back(duration("outage_lasts", AT(outage_lasts)));
  fields.push_back(duration("window_opens", AT(window_opens)));
  fields.push_back(duration("window_closes", AT(window_closes)));
  fields.push_back(duration("window_every", AT(window_every)));
  fields.push_back(duration("not_after", AT(not_after)));
  fields.push_back(seed("seed", AT(seed)));
  fields.push_back(yes_or_no("fine_time", AT(fine_time)));
  fields.push_back(number("steps_max", AT(steps_max), {1}));
  std::vector<Field> policy;
  add_policy(policy);
  fields.insert(fields.end(), policy.begin(), policy.end());
  for (const Field& field : policy) fields.push_back(of_workers(field));
  add_provider(fields);
  for (std::size_t i = 0; i < fault_count; ++i)
    fields.push_back(number("budget." + std::string(text_of(static_cast<Fault>(i))),
                            [i](auto& s) -> auto& { return s.budget.of[i]; }));
  fields.push_back(number("budget.total", AT(budget.total)));
  return fields;
}

#undef AT

const std::vector<Field>& fields() {
  static const std::vector<Field> all = all_fields();
  return all;
}

}  // namespace

std::string to_text(const WorldSettings& settings) {
  const WorldSettings usual;
  std::string text;
  for (const Field& field : fields()) {
    const std::string value = field.write(settings);
    if (value != field.write(usual)) text += (text.empty() ? "" : " ") + field.key + "=" + value;
  }
  return text;
}

std::vector<std::string> unusual_settings(const WorldSettings& settings) {
  const WorldSettings usual;
  std::vector<std::string> keys;
  for (const Field& field : fields()) {
    if (field.write(settings) != field.write(usual)) keys.push_back(field.key);
  }
  return keys;
}

void make_usual(WorldSettings& settings, std::string_view key) {
  const auto field = std::ranges::find_if(fields(), [&](const Field& f) { return f.key == key; });
  ASSERT(field != fields().end());
  const auto done = field->read(settings, field->write(WorldSettings()));
  ASSERT(done);
}

std::expected<void, Refusal> set(WorldSettings& settings, std::string_view key,
                                 std::string_view value) {
  for (const Field& field : fields()) {
    if (field.key != key) continue;
    auto done = field.read(settings, value);
    if (!done && done.error().what.empty())
      done.error().what = std::string(key) + " can't be \"" + std::string(value) + "\"";
    return done;
  }
  Refusal unknown{"no setting is named", "", std::string(key), {}};
  for (const Field& field : fields()) unknown.known.push_back(field.key);
  return std::unexpected(std::move(unknown));
}

}  // namespace sim
