// Settings that are lists or names.
#include "core/assert.h"
#include "sim/bugs/catalog.h"
#include "sim/trace/setting_field.h"
#include "sim/trace/settings_text.h"

namespace sim {

std::vector<std::string> bug_names() {
  std::vector<std::string> names;
  for (const PlantedBug* bug : all_bugs()) names.emplace_back(bug->name);
  return names;
}

std::vector<std::string> part_names() {
  return {conjunct_names.begin(), conjunct_names.end()};
}

namespace setting {
namespace {

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

std::vector<std::string> oracle_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < oracle_count; ++i)
    names.emplace_back(text_of(static_cast<Oracle>(i)).name);
  return names;
}

}  // namespace

// "422:3:0,503:2:1": status, every, tries.
Field rules() {
  return {"provider.rules",
          [](const WorldSettings& s) {
            return joined(s.provider.rules, [](const fake_mail::Rule& rule) {
              return std::to_string(rule.status) + ":" + std::to_string(rule.every) + ":" +
                     std::to_string(rule.tries);
            });
          },
          [](WorldSettings& s, std::string_view text) -> Read {
            std::vector<fake_mail::Rule> rules;
            for (const std::string_view one : split(text, ',')) {
              const auto parts = split(one, ':');
              fake_mail::Rule rule;
              if (parts.size() != 3 || !parse(parts[0], rule.status) ||
                  !parse(parts[1], rule.every) || !parse(parts[2], rule.tries) ||
                  (rule.status != 0 && rule.status < 400) || rule.status > 599 || rule.every < 1 ||
                  rule.tries < 0)
                return refused("it is a list of status:every:tries, like 422:3:0,503:2:1");
              rules.push_back(rule);
            }
            s.provider.rules = std::move(rules);
            return {};
          }};
}

// "900:150000,100:400000": permille of the answers, and their microseconds.
Field latency() {
  return {"provider.latency_us",
          [](const WorldSettings& s) {
            return joined(s.provider.latency, [](const fake_mail::LatencyShare& share) {
              return std::to_string(share.permille) + ":" + std::to_string(share.latency.count());
            });
          },
          [](WorldSettings& s, std::string_view text) -> Read {
            std::vector<fake_mail::LatencyShare> shares;
            int sum = 0;
            for (const std::string_view one : split(text, ',')) {
              const auto parts = split(one, ':');
              fake_mail::LatencyShare share;
              std::int64_t us = 0;
              if (parts.size() != 2 || !parse(parts[0], share.permille) || !parse(parts[1], us) ||
                  share.permille < 1 || share.permille > 1000 || us < 0)
                return refused("it is a list of permille:microseconds, like 900:150000,100:400000");
              share.latency = core::Duration(us);
              sum += share.permille;
              shares.push_back(share);
            }
            if (!shares.empty() && sum != 1000) return refused("its permilles add up to 1000");
            s.provider.latency = std::move(shares);
            return {};
          }};
}

Field dropped() {
  return {"dropped",
          [](const WorldSettings& s) {
            return joined(s.dropped, [](Conjunct part) { return conjunct_name(part); });
          },
          [](WorldSettings& s, std::string_view text) -> Read {
            std::vector<Conjunct> parts;
            for (const std::string_view name : split(text, ',')) {
              const auto part = parse_conjunct(name);
              if (!part)
                return std::unexpected(
                    Refusal{"no statement has a part", "", std::string(name), part_names()});
              parts.push_back(*part);
            }
            s.dropped = std::move(parts);
            return {};
          }};
}

Field ignored() {
  return {"ignored",
          [](const WorldSettings& s) {
            std::vector<std::string_view> names;
            for (std::size_t i = 0; i < oracle_count; ++i) {
              if (s.ignored[i]) names.push_back(text_of(static_cast<Oracle>(i)).name);
            }
            return joined(names, [](std::string_view name) { return name; });
          },
          [](WorldSettings& s, std::string_view text) -> Read {
            std::bitset<oracle_count> all;
            for (const std::string_view name : split(text, ',')) {
              const auto oracle = oracle_named(name);
              if (!oracle)
                return std::unexpected(
                    Refusal{"no oracle is named", "", std::string(name), oracle_names()});
              all.set(static_cast<std::size_t>(*oracle));
            }
            s.ignored = all;
            return {};
          }};
}

Field bug() {
  return {"bug",
          [](const WorldSettings& s) { return std::string(s.bug == nullptr ? "" : s.bug->name); },
          [](WorldSettings& s, std::string_view text) -> Read {
            const PlantedBug* found = find_bug(text);
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
          [](WorldSettings& s, std::string_view text) -> Read {
            s.name = text;
            std::ranges::replace(s.name, '_', ' ');
            return {};
          }};
}

}  // namespace setting
}  // namespace sim
