#include "sim/trace/settings_text.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "core/assert.h"
#include "sim/bugs/planted_bug.h"

namespace sim {
namespace {

using Outcome = std::expected<void, Refusal>;

struct Field {
  std::string key;
  std::function<std::string(const WorldSettings&)> write;
  std::function<Outcome(WorldSettings&, std::string_view)> read;
};

std::unexpected<Refusal> refused(std::string right) {
  return std::unexpected(Refusal{.what = {}, .right = std::move(right), .word = {}, .known = {}});
}

// [least, most], of what a world can be built with.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

Outcome read_whole(std::string_view text, Range range, std::int64_t& value) {
  std::int64_t read = 0;
  if (!parse(text, read) || read < range.least || read > range.most)
    return refused("it is a whole number from " + std::to_string(range.least) + " to " +
                   std::to_string(range.most));
  value = read;
  return {};
}

// `of` returns a reference into the settings that it is given.
template <class Of>
Field number(std::string key, Of of, Range range = {}) {
  using Value = std::remove_cvref_t<decltype(of(std::declval<WorldSettings&>()))>;
  range.most = std::min<std::int64_t>(
      range.most, sizeof(Value) < 8 ? std::numeric_limits<Value>::max() : range.most);
  return {std::move(key), [of](const WorldSettings& s) { return std::to_string(of(s)); },
          [of, range](WorldSettings& s, std::string_view text) -> Outcome {
            std::int64_t value = 0;
            if (auto done = read_whole(text, range, value); !done) return done;
            of(s) = static_cast<Value>(value);
            return {};
          }};
}

template <class Of>
Field duration(const std::string& key, Of of) {
  return {key + "_us", [of](const WorldSettings& s) { return std::to_string(of(s).count()); },
          [of](WorldSettings& s, std::string_view text) -> Outcome {
            std::int64_t value = 0;
            // Sums of a few must not overflow.
            if (auto done = read_whole(text, {0, 1'000'000'000'000'000}, value); !done) return done;
            of(s) = core::Duration(value);
            return {};
          }};
}

template <class Of>
Field seed(std::string key, Of of) {
  return {std::move(key), [of](const WorldSettings& s) { return std::to_string(of(s)); },
          [of](WorldSettings& s, std::string_view text) -> Outcome {
            std::uint64_t value = 0;
            if (!parse(text, value))
              return refused("it is a whole number from 0 to 18446744073709551615");
            of(s) = value;
            return {};
          }};
}

template <class Of>
Field yes_or_no(std::string key, Of of) {
  return {std::move(key), [of](const WorldSettings& s) { return of(s) ? "yes" : "no"; },
          [of](WorldSettings& s, std::string_view text) -> Outcome {
            if (text != "yes" && text != "no") return refused("it is yes or no");
            of(s) = text == "yes";
            return {};
          }};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

template <class Items, class ToText>
std::string joined(const Items& items, ToText text_of_item) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ",") + std::string(text_of_item(item));
  return out;
}

// "422:3:0,503:2:1": status, every, tries.
Field rules() {
  return {"provider.rules",
          [](const WorldSettings& s) {
            return joined(s.provider.rules, [](const fake_mail::Rule& rule) {
              return std::to_string(rule.status) + ":" + std::to_string(rule.every) + ":" +
                     std::to_string(rule.tries);
            });
          },
          [](WorldSettings& s, std::string_view text) -> Outcome {
            std::vector<fake_mail::Rule> rules;
            for (const std::string_view one : split(text, ',')) {
              const auto parts = split(one, ':');
              fake_mail::Rule rule;
              if (parts.size() != 3 || !parse(parts[0], rule.status) ||
                  !parse(parts[1], rule.every) || !parse(parts[2], rule.tries) ||
                  rule.status < 400 || rule.status > 599 || rule.every < 1 || rule.tries < 0)
                return refused("it is a list of status:every:tries, like 422:3:0,503:2:1");
              rules.push_back(rule);
            }
            s.provider.rules = std::move(rules);
            return {};
          }};
}

std::vector<std::string> conjunct_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < conjunct_count; ++i)
    names.emplace_back(conjunct_name(static_cast<Conjunct>(i)));
  return names;
}

Field dropped() {
  return {"dropped",
          [](const WorldSettings& s) {
            return joined(s.dropped, [](Conjunct part) { return conjunct_name(part); });
          },
          [](WorldSettings& s, std::string_view text) -> Outcome {
            std::vector<Conjunct> parts;
            for (const std::string_view name : split(text, ',')) {
              const auto part = parse_conjunct(name);
              if (!part)
                return std::unexpected(
                    Refusal{"no statement has a part", "", std::string(name), conjunct_names()});
              parts.push_back(*part);
            }
            s.dropped = std::move(parts);
            return {};
          }};
}

Field bug() {
  return {"bug",
          [](const WorldSettings& s) { return std::string(s.bug == nullptr ? "" : s.bug->name); },
          [](WorldSettings& s, std::string_view text) -> Outcome {
            const PlantedBug* found = bug_named(text);
            if (found == nullptr)
              return std::unexpected(
                  Refusal{"no planted bug is named", "", std::string(text), bug_names()});
            s.bug = found;
            return {};
          }};
}

Field name() {
  return {"name",
          [](const WorldSettings& s) {
            std::string text = s.name;
            std::ranges::replace(text, ' ', '_');
            return text;
          },
          [](WorldSettings& s, std::string_view text) -> Outcome {
            s.name = text;
            std::ranges::replace(s.name, '_', ' ');
            return {};
          }};
}

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

// Without `latency`: the simulator's answers take the time that their moves give them.
void add_provider(std::vector<Field>& to) {
  to.push_back(seed("provider.seed", AT(provider.seed)));
  to.push_back(number("provider.limit_per_s", AT(provider.limit_per_s)));
  to.push_back(duration("provider.block", AT(provider.block)));
  to.push_back(duration("provider.dedupe_window", AT(provider.dedupe_window)));
  to.push_back(yes_or_no("provider.ignores_keys", AT(provider.ignores_keys)));
  to.push_back(rules());
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
  fields.push_back(number("members", AT(members), {1, 10'000'000}));
  fields.push_back(number("workers", AT(workers), {1, 1000}));
  fields.push_back(seed("seed", AT(seed)));
  fields.push_back(yes_or_no("fine_time", AT(fine_time)));
  fields.push_back(number("steps_max", AT(steps_max), {1}));
  add_policy(fields);
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

const PlantedBug* bug_named(std::string_view) {
  return nullptr;
}
std::vector<std::string> bug_names() {
  return {};
}

}  // namespace sim
