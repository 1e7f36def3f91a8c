// An audit for people and for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/audit.h"
#include "reports/text_layout.h"

namespace harness {
namespace {

constexpr std::size_t columns = 100;

std::string_view name_of(reports::Verdict verdict) {
  switch (verdict) {
    case reports::Verdict::passed:
      return "passed";
    case reports::Verdict::inconclusive:
      return "inconclusive";
    case reports::Verdict::failed:
      return "failed";
  }
  return "";
}

std::string line_of(const MemberList& list, std::string_view what) {
  if (list.count == 0) return "";
  return reports::wrapped(fmt::format("{}:{}", what, list.text()), columns);
}

nlohmann::ordered_json json_of(const MemberList& list) {
  nlohmann::ordered_json first = nlohmann::ordered_json::array();
  for (const auto& one : list.first)
    first.push_back({{"member", one.member}, {"mails", one.mails}});
  return {{"count", list.count}, {"first", first}};
}

}  // namespace

std::string to_table(const AuditResult& result) {
  std::string text;
  const auto row = [&](std::string_view what, std::int64_t count) {
    text += fmt::format("{:<28}{:>12}\n", what, count);
  };
  text += reports::wrapped("campaign " + result.campaign, columns);
  row("members", result.members);
  row("mailed", result.mailed);
  row("mails delivered", result.mails);
  row("more than one mail", result.more_than_one.count);
  row("no mail", result.none.count);
  row("refused for good", result.refused);
  row("unknown", result.unknown);
  row("opted out", result.opted_out);
  if (result.opt_outs_are_dated) row("mailed after an opt-out", result.after_opt_out.count);
  if (result.strangers > 0) row("requests for strangers", result.strangers);
  text += line_of(result.more_than_one, "more than one mail");
  text += line_of(result.none, "no mail");
  text += line_of(result.after_opt_out, "after an opt-out");
  if (!result.opt_outs_are_dated)
    text += "not judged: mails after an opt-out, because the ledger has no column arrival_us\n";
  return text + fmt::format("verdict: {}\n", name_of(verdict_of(result)));
}

std::string to_json(const AuditResult& result) {
  nlohmann::ordered_json document{
      {"campaign", result.campaign},  {"verdict", name_of(verdict_of(result))},
      {"members", result.members},    {"mailed", result.mailed},
      {"mails", result.mails},        {"more_than_one", json_of(result.more_than_one)},
      {"none", json_of(result.none)}, {"refused", result.refused},
      {"unknown", result.unknown},    {"opted_out", result.opted_out},
      {"strangers", result.strangers}};
  document["after_opt_out"] =
      result.opt_outs_are_dated ? json_of(result.after_opt_out) : nlohmann::ordered_json();
  return document.dump(2) + "\n";
}

}  // namespace harness
