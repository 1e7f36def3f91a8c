#include "reports/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/field_values.h"
#include "scenarios/fields.h"

namespace reports {
namespace {

using scenarios::Expectation;
using scenarios::Field;
using scenarios::Relation;

constexpr std::array kOwedToEveryMember = {Field::duplicates, Field::lost, Field::late_opt_outs};

bool is_owed(const Expectation& expectation, Field field) {
  return std::ranges::find(kOwedToEveryMember, field) != kOwedToEveryMember.end() &&
         expectation.relation == Relation::equal &&
         expectation.values == std::vector<std::int64_t>{0};
}

std::string_view sign(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "=";
    case Relation::at_most:
      return "<=";
    case Relation::at_least:
      return ">=";
  }
  return "";
}

bool holds(Relation relation, std::int64_t seen, std::int64_t wanted) {
  switch (relation) {
    case Relation::equal:
      return seen == wanted;
    case Relation::at_most:
      return seen <= wanted;
    case Relation::at_least:
      return seen >= wanted;
  }
  return false;
}

Check check(const Expectation& expectation, Field field, const RunResult& run,
            const SenderResult& sender) {
  Check out;
  out.claim = fmt::format("{} {} {}", expectation.field, sign(expectation.relation),
                          fmt::join(expectation.values, " "));
  if (field == Field::exit_codes) {
    out.seen = exit_codes_text(sender.exit_codes);
    const bool same = std::ranges::equal(sender.exit_codes, expectation.values);
    out.verdict = same ? Verdict::passed : Verdict::failed;
  } else if (const auto amount = amount_of(run, sender, field)) {
    out.seen = amount_text(*amount);
    const bool held =
        holds(expectation.relation, amount->count, expectation.values.front() * amount->unit);
    out.verdict = held ? Verdict::passed : Verdict::failed;
  } else {
    out.seen = "not measured";
    out.verdict = Verdict::inconclusive;
  }
  return out;
}

bool is_altered(const scenarios::Scenario& scenario) {
  return std::ranges::any_of(scenario.settings,
                             [](const std::string& s) { return !s.starts_with("expect."); });
}

// Whether the seed makes any difference to the provider.
bool draws(const fake_mail::Behaviour& provider) {
  return provider.latency.size() > 1 || provider.permille_503 > 0 || provider.permille_422 > 0 ||
         provider.permille_429 > 0 || provider.permille_accept_then_503 > 0 ||
         provider.permille_accept_then_silence > 0;
}

// The count of what was drawn is another with another seed.
bool is_of_its_seed(const scenarios::Scenario& scenario, const Expectation& expectation,
                    Field field) {
  return scenario.seed_is_another && draws(scenario.provider) && expectation.line > 0 &&
         expectation.relation == Relation::equal && field != Field::exit_codes &&
         expectation.values.front() != 0;
}

// A spread over sizes belongs to the last size.
bool is_for_a_later_entry(const RunResult& run, const SenderResult& sender, Field field) {
  if (field != Field::peak_rss_spread_bytes) return false;
  return std::any_of(&sender + 1, run.senders.data() + run.senders.size(),
                     [&](const SenderResult& later) {
                       return later.sender == sender.sender && later.choice == sender.choice;
                     });
}

const scenarios::Scenario& chosen(const scenarios::Scenario& scenario, std::string_view choice) {
  const auto found = std::ranges::find(scenario.choices, choice, &scenarios::Scenario::choice);
  return found == scenario.choices.end() ? scenario : *found;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::failed:
      return "failed";
  }
  return "";
}

Verdict worst(Verdict a, Verdict b) {
  return std::max(a, b);
}

Verdict verdict_of(const RunResult& run, const SenderResult& sender) {
  const bool is_checked = std::ranges::any_of(run.senders, [&](const SenderResult& entry) {
    return entry.sender == sender.sender && !entry.checks.empty();
  });
  Verdict out = is_checked ? Verdict::passed : Verdict::inconclusive;
  for (const Check& one : sender.checks) out = worst(out, one.verdict);
  return out;
}

std::vector<Expectation> expectations_for(const scenarios::Scenario& scenario,
                                          std::string_view sender) {
  const auto own = scenario.expect.find(std::string(sender));
  if (own != scenario.expect.end()) return own->second;
  std::vector<Expectation> out;
  if (const auto any = scenario.expect.find("any"); any != scenario.expect.end()) out = any->second;
  for (const Field field : kOwedToEveryMember) {
    const std::string name(field_name(field));
    if (std::ranges::find(out, name, &Expectation::field) == out.end())
      out.push_back({name, Relation::equal, {0}, 0});
  }
  return out;
}

namespace {

void judge(const RunResult& run, const scenarios::Scenario& scenario, SenderResult& sender) {
  const bool altered = is_altered(scenario);
  bool missed_its_scenario = false;
  std::string of_its_seed;
  for (const Expectation& expectation : expectations_for(scenario, sender.sender)) {
    const auto field = scenarios::find_field(expectation.field);
    if (!field || is_for_a_later_entry(run, sender, *field)) continue;
    Check made = check(expectation, *field, run, sender);
    const bool missed = made.verdict == Verdict::failed;
    if (missed && is_of_its_seed(scenario, expectation, *field)) {
      of_its_seed +=
          fmt::format("{}{} (seen {})", of_its_seed.empty() ? "" : ", ", made.claim, made.seen);
      continue;
    }
    if (missed && altered && expectation.line > 0 && !is_owed(expectation, *field)) {
      made.verdict = Verdict::inconclusive;
      missed_its_scenario = true;
    }
    sender.checks.push_back(std::move(made));
  }
  if (missed_its_scenario)
    sender.notes.emplace_back(
        "--set has changed the scenario that the expected numbers are for; not meeting them says "
        "nothing");
  if (!of_its_seed.empty())
    sender.notes.push_back("not judged with another seed than the scenario's: " + of_its_seed +
                           "; a bound, like \"<= 200\", is judged with each");
}

}  // namespace

void judge(RunResult& run, const scenarios::Scenario& scenario) {
  run.verdict = run.senders.empty() ? Verdict::inconclusive : Verdict::passed;
  for (SenderResult& sender : run.senders)
    if (sender.ended_early.empty()) judge(run, chosen(scenario, sender.choice), sender);
  for (const SenderResult& sender : run.senders)
    run.verdict = worst(run.verdict, verdict_of(run, sender));
}

}  // namespace reports
