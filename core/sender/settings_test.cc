#include "core/sender/settings.h"

#include <gtest/gtest.h>

#include <map>

namespace core::sender {
namespace {

using Lines = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

Settings read(Variables set, Lines& problems) {
  set.insert({{"DB_DSN", "host=db"},
              {"CAMPAIGN_ID", "spring-2026"},
              {"MAIL_URL", "https://mail.example.com/v1/send"}});
  return read_settings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto it = set.find(name);
        if (it == set.end()) return std::nullopt;
        return it->second;
      },
      problems);
}

Settings valid(const Variables& set = {}) {
  Lines problems;
  Settings settings = read(set, problems);
  EXPECT_EQ(problems, Lines{});
  return settings;
}

Lines problems_of(const Variables& set) {
  Lines problems;
  read(set, problems);
  return problems;
}

TEST(Settings, DefaultsAreThoseOfThePolicy) {
  const Settings settings = valid();
  EXPECT_EQ(settings.policy.deadline, 3000s);
  EXPECT_EQ(settings.policy.lanes, 100);
  EXPECT_EQ(settings.policy.min_interval, 0s);
  EXPECT_EQ(settings.rate_per_s, std::nullopt);
  EXPECT_EQ(settings.template_name, std::nullopt);
  EXPECT_EQ(settings.provider, "https://mail.example.com:443");
  EXPECT_EQ(settings.poll, 1s);
}

// Found by: ./dev fuzz settings
TEST(Settings, ALineBreakInAValueMakesNoSecondLine) {
  EXPECT_EQ(
      problems_of({{"LANES", "8\n9"}, {"DB_POOLER", "no\rne"}}),
      (Lines{"LANES=8\\n9: must be a whole number, such as LANES=100",
             "DB_POOLER=no\\rne: must be transaction (PgBouncer in transaction mode) or none"}));
}

TEST(Settings, WhatIsReadOnceIsTheSameEverywhere) {
  const Settings settings = valid({{"CONNECT_TIMEOUT_S", "1"},
                                   {"READ_TIMEOUT_S", "3"},
                                   {"STATEMENT_TIMEOUT_S", "4"},
                                   {"RATE_PER_S", "100"}});
  EXPECT_EQ(settings.mail.campaign, "spring-2026");
  EXPECT_EQ(settings.mail.connect_timeout, 1s);
  EXPECT_EQ(settings.mail.read_timeout, 3s);
  EXPECT_EQ(settings.database.statement_timeout, 4s);
  EXPECT_EQ(settings.rate_per_s, 100);
  EXPECT_EQ(settings.policy.rate_per_s, 100);
}

TEST(Settings, AMissingVariableIsNamedWithAnExample) {
  Lines problems;
  read_settings([](const std::string&) { return std::nullopt; }, problems);
  EXPECT_EQ(
      problems,
      (Lines{"DB_DSN is not set; for example DB_DSN=\"host=10.0.0.5 dbname=promotion user=sender\"",
             "CAMPAIGN_ID is not set; for example CAMPAIGN_ID=spring-2026",
             "MAIL_URL is not set; for example MAIL_URL=https://mail.example.com/v1/send"}));
}

TEST(Settings, ANumberThatIsNoneIsRefusedWithWhatWouldBeRight) {
  for (const char* text : {"abc", "", " 5", "5 ", "-1", "+5", "1.5", "5s", "0x10",
                           "99999999999999999999", "1000000001"}) {
    EXPECT_EQ(problems_of({{"DEADLINE_S", text}}),
              Lines{"DEADLINE_S=" + std::string(text) +
                    ": must be a whole number of seconds, such as DEADLINE_S=3000"});
  }
  EXPECT_EQ(problems_of({{"LANES", "many"}}),
            Lines{"LANES=many: must be a whole number, such as LANES=100"});
}

TEST(Settings, TheLeastIntervalIsReadExactly) {
  const std::pair<const char*, Duration> read_as[] = {{"0", 0us},
                                                      {"0.002", 2ms},
                                                      {"0.000001", 1us},
                                                      {"1", 1s},
                                                      {"1.5", 1500ms},
                                                      {"0.10", 100ms},
                                                      {"9999.999999", 9'999'999'999us}};
  for (const auto& [text, interval] : read_as) {
    EXPECT_EQ(valid({{"MIN_INTERVAL_S", text}}).policy.min_interval, interval) << text;
  }
  for (const char* text :
       {"", ".", ".5", "5.", "-1", "1e-3", "0.0000001", "0,002", "1.2.3", "nan", " 1", "10000"}) {
    EXPECT_EQ(problems_of({{"MIN_INTERVAL_S", text}}),
              Lines{"MIN_INTERVAL_S=" + std::string(text) +
                    ": must be seconds with at most six digits after the point, such as "
                    "MIN_INTERVAL_S=0.002"});
  }
}

TEST(Settings, EveryProblemIsSaidAtOnce) {
  const Lines problems = problems_of({{"DEADLINE_S", "abc"},
                                      {"LEASE_S", "30"},
                                      {"MAIL_URL", "mail"},
                                      {"DB_POOLER", "yes"},
                                      {"POLL_MS", "0"}});
  ASSERT_EQ(problems.size(), 5u);
  EXPECT_TRUE(problems[0].starts_with("MAIL_URL=mail: "));
  EXPECT_TRUE(problems[1].starts_with("DEADLINE_S=abc: "));
  EXPECT_TRUE(problems[2].starts_with("DB_POOLER=yes: "));
  EXPECT_TRUE(problems[3].starts_with("POLL_MS=0: "));
  EXPECT_TRUE(problems[4].starts_with("LEASE_S: a lease of 30 s is shorter than its work"));
}

// Both end up in a header of every request: one that holds a line break would be left out of it,
// and a request without its key is delivered every time.
TEST(Settings, WhatNoHeaderCanCarryIsRefused) {
  for (const std::string bad : {"a\r\nX: y", "a\n", "a\tb", "a\x1f", "a\x7f"}) {
    EXPECT_EQ(problems_of({{"CAMPAIGN_ID", bad}}).size(), 1u);
    EXPECT_EQ(problems_of({{"MAIL_API_KEY", bad}}),
              Lines{"MAIL_API_KEY holds a control character, such as a line break at the end; give "
                    "the key alone"});
  }
  for (const char* bad : {"a\"b", "a\\b"})
    EXPECT_EQ(problems_of({{"CAMPAIGN_ID", bad}}).size(), 1u) << bad;
  valid({{"CAMPAIGN_ID", "spring 2026/\u6625"}, {"MAIL_API_KEY", "a\"b\\c=="}});
}

TEST(Settings, ThePoolerIsTransactionOrNone) {
  EXPECT_TRUE(valid({{"DB_POOLER", "transaction"}}).database.transaction_pooler);
  EXPECT_FALSE(valid({{"DB_POOLER", "none"}}).database.transaction_pooler);
  EXPECT_FALSE(valid({{"DB_POOLER", ""}}).database.transaction_pooler);
}

}  // namespace
}  // namespace core::sender
