// deploy/cronjob.yaml against the sender's own policy: its numbers have one source.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "core/metrics/publisher.h"
#include "core/sender/settings.h"

namespace core::sender {
namespace {

std::string manifest_text() {
  std::stringstream text;
  text << std::ifstream(SENDPROOF_ROOT "/deploy/cronjob.yaml").rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line = line.substr(0, line.find(" #"));
    line.erase(0, line.find_first_not_of(" -"));
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

// The value of the one line "name: value".
std::int64_t number(const std::string& name) {
  std::vector<std::int64_t> found;
  for (const std::string& line : lines_of(manifest_text()))
    if (line.starts_with(name + ": ")) found.push_back(std::stoll(line.substr(name.size() + 2)));
  EXPECT_EQ(found.size(), 1U) << name;
  return found.at(0);
}

// What the pod's program is given; secrets as anything.
std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> given{{"DB_DSN", "dbname=promotion"}, {"MAIL_API_KEY", "k"}};
  std::string name;
  for (const std::string& line : lines_of(manifest_text())) {
    if (line.starts_with("name: ")) name = line.substr(6);
    if (line.starts_with("value: \"")) given[name] = line.substr(8, line.size() - 9);
  }
  return given;
}

Settings settings() {
  const auto given = environment();
  std::vector<std::string> problems;
  Settings read = read_settings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = given.find(name);
        if (found == given.end()) return std::nullopt;
        return found->second;
      },
      problems);
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
  return read;
}

Duration worst_stop(const Policy& policy) {
  return policy.worst_send() + 2 * policy.statement_timeout + metrics::Publisher::push_limit;
}

TEST(Deployment, TheManifestsNumbersHold) {
  const Settings read = settings();
  const Policy& policy = read.policy;
  EXPECT_EQ(policy.deadline, 3000s);
  EXPECT_EQ(policy.min_interval, 2ms);
  EXPECT_EQ(policy.rate_per_s, 500);
  EXPECT_GE(std::chrono::seconds(number("terminationGracePeriodSeconds")), worst_stop(policy));
}

// One Job's pods share its deadline: each may use the whole of its own.
TEST(Deployment, EachPodOfAJobHasTheTimeItsDeadlineGivesIt) {
  const Policy policy = settings().policy;
  const std::int64_t pods = number("backoffLimit") + 1;
  Duration needed = pods * (policy.deadline + worst_stop(policy) + 60s);
  for (std::int64_t restart = 1, wait = 10; restart < pods; ++restart, wait *= 2)
    needed += std::chrono::seconds(wait);
  const std::chrono::seconds deadline(number("activeDeadlineSeconds"));
  EXPECT_GE(deadline, needed);
  // And a Job that starts at the last moment is over before the next night's.
  EXPECT_LT(deadline + std::chrono::seconds(number("startingDeadlineSeconds")), 24h);
}

TEST(Deployment, WhatAPersonMustSeeIsNotStartedAgain) {
  const std::string text = manifest_text();
  EXPECT_NE(text.find("- action: FailJob"), std::string::npos);
  EXPECT_NE(text.find("values: [" + std::to_string(static_cast<int>(ExitCode::look)) + ", " +
                      std::to_string(static_cast<int>(ExitCode::refused)) + "]"),
            std::string::npos);
  EXPECT_NE(text.find("restartPolicy: Never"), std::string::npos);  // podFailurePolicy needs it
  EXPECT_NE(text.find("concurrencyPolicy: Forbid"), std::string::npos);
  EXPECT_NE(text.find("timeZone: Asia/Tokyo"), std::string::npos);
}

// The lanes carry the rate at the 150 ms that a request takes.
TEST(Deployment, TheLanesCarryTheRate) {
  const Policy policy = settings().policy;
  EXPECT_GE(policy.lanes * 1000, policy.rate_per_s * 150);
}

}  // namespace
}  // namespace core::sender
