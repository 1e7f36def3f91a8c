// A run as JUnit XML, the form that CI servers read: a suite a sender and size, a test case a
// check.
#pragma once

#include <string>
#include <string_view>

#include "reports/result.h"

namespace reports {

// What is inconclusive is an <error>: a test that CI shows as skipped would look fine.
std::string to_junit(const RunResult& run);

// Text for an XML 1.0 attribute or element: markup escaped, line ends and tabs as references (a
// parser would turn them into blanks), characters that XML can't hold and invalid UTF-8 as U+FFFD.
std::string xml_escape(std::string_view text);

}  // namespace reports
