#include "reports/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/expectations.h"
#include "reports/field_values.h"
#include "reports/utf8.h"

namespace reports {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// XML 1.0, production 2: Char.
bool is_xml_char(char32_t c) {
  return c == 0x9 || c == 0xA || c == 0xD || (c >= 0x20 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
}

std::int64_t count(const SenderResult& sender, Verdict verdict) {
  return std::ranges::count(sender.checks, verdict, &Check::verdict);
}

std::string test_case(const Check& check, std::string_view suite) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                       xml_escape(suite), xml_escape(check.claim));
  const std::string message =
      xml_escape(fmt::format("expected {}, seen {}", check.claim, check.seen));
  switch (check.verdict) {
    case Verdict::passed:
      return head + "/>\n";
    case Verdict::failed:
      return fmt::format("{}>\n      <failure message=\"{}\"/>\n    </testcase>\n", head, message);
    case Verdict::inconclusive:
      return fmt::format("{}>\n      <error message=\"{}\"/>\n    </testcase>\n", head, message);
  }
  return "";
}

std::string suite_name(const RunResult& run, const SenderResult& sender) {
  const auto entries = std::ranges::count(run.senders, sender.sender, &SenderResult::sender);
  const std::string name = fmt::format("{}.{}", run.scenario, sender.sender);
  if (!sender.choice.empty()) return fmt::format("{}.{}", name, sender.choice);
  return entries > 1 ? fmt::format("{}.{}", name, sender.members) : name;
}

std::string suite(const RunResult& run, const SenderResult& sender) {
  const std::string name = suite_name(run, sender);
  const std::string time = amount_text(*amount_of(run, sender, scenarios::Field::wall_s));
  std::string out = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">\n",
      xml_escape(name), sender.checks.size(), count(sender, Verdict::failed),
      count(sender, Verdict::inconclusive), time);
  out += fmt::format(
      "    <properties>\n      <property name=\"seed\" value=\"{}\"/>\n"
      "      <property name=\"run\" value=\"{}\"/>\n    </properties>\n",
      run.seed, xml_escape(run.run));
  for (const Check& check : sender.checks) out += test_case(check, name);
  for (const std::string& note : sender.notes)
    out += fmt::format("    <system-out>{}</system-out>\n", xml_escape(note));
  return out + "  </testsuite>\n";
}

}  // namespace

std::string xml_escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    const std::string_view written = text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
    if (!next.valid || !is_xml_char(next.value)) {
      out += kReplacement;
      continue;
    }
    switch (next.value) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += written;
    }
  }
  return out;
}

std::string to_junit(const RunResult& run) {
  std::size_t tests = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::string suites;
  for (const SenderResult& sender : run.senders) {
    tests += sender.checks.size();
    failures += count(sender, Verdict::failed);
    errors += count(sender, Verdict::inconclusive);
    suites += suite(run, sender);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      xml_escape(run.scenario), tests, failures, errors, suites);
}

}  // namespace reports
