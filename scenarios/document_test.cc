#include "scenarios/document.h"

#include <gtest/gtest.h>

namespace scenarios {
namespace {

Value parse(std::string_view text) {
  return parse_document(text, "a.toml").value();
}

// What apply_setting() refuses, or "" when it accepts.
std::string refusal(std::string_view setting) {
  Value root = parse("n = 1\n[table]\nm = 2\n[[event]]\nfirst = 3\n");
  const auto laid = apply_setting(root, setting);
  return laid ? "" : laid.error().message();
}

TEST(Document, EveryKeyAndValueKnowsItsLine) {
  const Value root =
      parse("# story\n\nn = 1\n[table]\nm = [\n  2,\n  3]\n\n[[event]]\nfirst = 3\n");
  EXPECT_EQ(root.find("n")->place.text(), "a.toml:3");
  EXPECT_EQ(root.find("table")->value.place.text(), "a.toml:4");
  EXPECT_EQ(root.find("table")->value.find("m")->value.items[1].place.text(), "a.toml:7");
  EXPECT_EQ(root.find("event")->value.items[0].place.text(), "a.toml:9");
}

TEST(Document, KeysKeepTheOrderOfTheFile) {
  const Value root = parse("zebra = 1\nape = 2\n");
  EXPECT_EQ(root.entries[0].key, "zebra");
  EXPECT_EQ(root.entries[1].key, "ape");
}

TEST(Document, MalformedTomlIsRefusedWithItsLine) {
  for (const std::string_view text :
       {"a = 1\nb = = 2\n", "a = 1\na = 2\n", "a = 1\n[unclosed\n", "a = 1\nb = \"x\n"}) {
    const auto parsed = parse_document(text, "a.toml");
    ASSERT_FALSE(parsed) << text;
    EXPECT_TRUE(parsed.error().message().starts_with("a.toml:2: this is not TOML: "))
        << parsed.error().message();
    EXPECT_FALSE(parsed.error().message().contains('\n'));
  }
}

// The parser's recursion is as deep as a dotted key is long.
// Found by: ./dev fuzz scenario
TEST(Document, ARefusalIsOneLineWhateverItQuotes) {
  const auto refused = refuse({"a.toml", 2}, "unknown key `a\nb`");
  EXPECT_EQ(refused.error().message(), "a.toml:2: unknown key `a\\nb`");
}

TEST(Document, ALineThatGoesOnForEverIsRefused) {
  std::string deep = "a = 1\n[";
  for (int i = 0; i < 50'000; ++i) deep += "a.";
  const auto parsed = parse_document(deep + "b]\n", "a.toml");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message(), "a.toml:2: a line of 100003 bytes; at most 4096");
}

TEST(Setting, LaysAnIntegerOverTheFile) {
  Value root = parse("[table]\nm = 2\n");
  ASSERT_TRUE(apply_setting(root, "table.m=9007199254740993"));
  const Entry* m = root.find("table")->value.find("m");
  EXPECT_EQ(m->value.integer, 9007199254740993);
  EXPECT_EQ(m->place.text(), "--set table.m=9007199254740993");
  EXPECT_EQ(m->value.place.text(), "--set table.m=9007199254740993");
}

TEST(Setting, ReachesIntoAListOfTables) {
  Value root = parse("[[event]]\nfirst = 3\n[[event]]\nfirst = 4\n");
  ASSERT_TRUE(apply_setting(root, "event[1].first=5"));
  EXPECT_EQ(root.find("event")->value.items[0].find("first")->value.integer, 3);
  EXPECT_EQ(root.find("event")->value.items[1].find("first")->value.integer, 5);
}

TEST(Setting, MakesTheTablesThatItsKeyNames) {
  Value root = parse("");
  ASSERT_TRUE(apply_setting(root, "a.b.c=[1, 2]"));
  EXPECT_EQ(root.find("a")->value.find("b")->value.find("c")->value.items.size(), 2U);
}

TEST(Setting, WhatIsNoTomlIsText) {
  for (const auto& [setting, text] :
       std::vector<std::pair<std::string, std::string>>{{"key=forbid", "forbid"},
                                                        {"key=accept 6000", "accept 6000"},
                                                        {"key=<= 200", "<= 200"},
                                                        {"key=", ""},
                                                        {"key=\"quoted\"", "quoted"},
                                                        {"key=1\nother = 2", "1\nother = 2"}}) {
    Value root = parse("");
    ASSERT_TRUE(apply_setting(root, setting)) << setting;
    EXPECT_EQ(root.find("key")->value.kind, Value::Kind::text) << setting;
    EXPECT_EQ(root.find("key")->value.text, text) << setting;
    EXPECT_EQ(root.entries.size(), 1U) << setting;
  }
}

TEST(Setting, RefusesWhatHasNoKey) {
  EXPECT_EQ(refusal("audience"), "--set audience: expected key=value, like audience.members=500");
  EXPECT_EQ(refusal("=5"), "--set =5: expected key=value, like audience.members=500");
  for (const std::string bad : {"a..b=1", ".a=1", "a.=1", "event[]=1", "event[x].first=1",
                                "event[0=1", "[0]=1", "event[-1].first=1"})
    EXPECT_EQ(refusal(bad),
              "--set " + bad + ": expected a dotted key, like sender.lanes or event[0].when");
}

TEST(Setting, RefusesAPathThroughAValue) {
  EXPECT_EQ(refusal("table.m.x=1"), "--set table.m.x=1: table.m is an integer, not a table");
  EXPECT_EQ(refusal("event.first=1"),
            "--set event.first=1: event is a list, not a table; its first entry is event[0]");
  EXPECT_EQ(refusal("event[1].first=1"),
            "--set event[1].first=1: event has 1 entries; the first is event[0]");
}

}  // namespace
}  // namespace scenarios
