#include "reports/junit.h"

#include <gtest/gtest.h>

#include "reports/sample_run.h"

namespace reports {
namespace {

TEST(Junit, IsThisDocument) {
  RunResult run = sample_run();
  run.senders[0].checks[1].verdict = Verdict::inconclusive;
  EXPECT_EQ(to_junit(run), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kill9-at-6000" tests="3" failures="1" errors="1">
  <testsuite name="kill9-at-6000.reference" tests="2" failures="0" errors="1" time="3.142">
    <properties>
      <property name="seed" value="18446744073709551615"/>
      <property name="run" value="20260401T170000Z-3fa9"/>
    </properties>
    <testcase classname="kill9-at-6000.reference" name="duplicates = 0"/>
    <testcase classname="kill9-at-6000.reference" name="repeats &lt;= 200">
      <error message="expected repeats &lt;= 200, seen 48"/>
    </testcase>
  </testsuite>
  <testsuite name="kill9-at-6000.naive" tests="1" failures="1" errors="0" time="0.000">
    <properties>
      <property name="seed" value="18446744073709551615"/>
      <property name="run" value="20260401T170000Z-3fa9"/>
    </properties>
    <testcase classname="kill9-at-6000.naive" name="lost = 150">
      <failure message="expected lost = 150, seen 149"/>
    </testcase>
    <system-out>runs in real time</system-out>
  </testsuite>
</testsuites>
)");
}

TEST(Junit, SizesOfOneSenderAreSuitesOfTheirOwn) {
  RunResult run = sample_run();
  run.senders[1].sender = "reference";
  run.senders[1].members = 1'200'000;
  const std::string xml = to_junit(run);
  EXPECT_TRUE(xml.contains("name=\"kill9-at-6000.reference.10000\""));
  EXPECT_TRUE(xml.contains("name=\"kill9-at-6000.reference.1200000\""));
}

TEST(XmlEscape, LeavesNoMarkupAndNoLineEnds) {
  EXPECT_EQ(xml_escape("a<b>&\"c\"'d'\n\r\t"),
            "a&lt;b&gt;&amp;&quot;c&quot;&apos;d&apos;&#10;&#13;&#9;");
  EXPECT_EQ(xml_escape("]]>"), "]]&gt;");
}

TEST(XmlEscape, KeepsWhatXmlCanHold) {
  EXPECT_EQ(xml_escape("\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x93\xA7"),
            "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x93\xA7");
}

TEST(XmlEscape, ReplacesWhatXmlCantHold) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_escape(std::string_view("a\0b", 3)), "a" + bad + "b");
  EXPECT_EQ(xml_escape("\x1b[31m"), bad + "[31m");
  EXPECT_EQ(xml_escape("\xEF\xBF\xBE"), bad) << "U+FFFE is no XML character";
  EXPECT_EQ(xml_escape("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(xml_escape("\xE0\x80\x80"), bad + bad + bad) << "overlong";
  EXPECT_EQ(xml_escape("\xED\xA0\x80"), bad + bad + bad) << "surrogate";
  EXPECT_EQ(xml_escape("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond U+10FFFF";
  EXPECT_EQ(xml_escape("\xE6\x97"), bad + bad) << "cut off";
}

}  // namespace
}  // namespace reports
