#include "core/policy.h"

#include <gtest/gtest.h>

namespace core {
namespace {

using Lines = std::vector<std::string>;

TEST(Policy, DefaultsAreValid) {
  EXPECT_EQ(Policy{}.problems(), Lines{});
}

TEST(Policy, LeaseCoversItsWork) {
  const Policy policy;
  EXPECT_EQ(policy.worst_send(), 7s);
  EXPECT_EQ(policy.lease_needed(), 60s + 7s + 10s + 3s);
}

// field case: F11
TEST(Policy, ALeaseShorterThanItsWorkIsRefusedWithTheArithmetic) {
  Policy policy;
  policy.lease = 80s;
  EXPECT_EQ(policy.problems(), Lines{});
  policy.lease = 80s - 1us;
  EXPECT_EQ(
      policy.problems(),
      Lines{
          "LEASE_S: a lease of 79999999 us is shorter than its work: batch budget 60 s + worst "
          "send 7 s (connect 2 s "
          "+ read 5 s) + record 10 s + margin 3 s = 80 s; raise LEASE_S to at least that, or lower "
          "BATCH_BUDGET_S"});
}

TEST(Policy, AWindowShorterThanMarginAndLeaseIsRefused) {
  Policy policy;
  policy.dedupe_window = policy.dedupe_margin + policy.lease + 1s;
  EXPECT_EQ(policy.problems(), Lines{});
  policy.dedupe_window = policy.dedupe_margin + policy.lease;
  EXPECT_EQ(
      policy.problems(),
      Lines{"DEDUPE_WINDOW_S: a window of 690 s must be longer than its margin 600 s + lease 90 s "
            "= 690 s"});
}

struct Bound {
  const char* name;
  void (*set)(Policy&, std::int64_t);
  std::int64_t least, most;
};

class PolicyBounds : public testing::TestWithParam<Bound> {};

TEST_P(PolicyBounds, AreNamedWhenLeft) {
  const auto problems_with = [](std::int64_t value) {
    Policy policy;
    GetParam().set(policy, value);
    return policy.problems();
  };
  const auto [name, set, least, most] = GetParam();
  EXPECT_EQ(problems_with(least), Lines{});
  EXPECT_EQ(problems_with(most), Lines{});
  for (const std::int64_t value : {least - 1, most + 1}) {
    EXPECT_EQ(problems_with(value),
              Lines{std::string(name) + "=" + std::to_string(value) + ": must be from " +
                    std::to_string(least) + " to " + std::to_string(most)});
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PolicyBounds,
    testing::Values(
        Bound{"BATCH", [](Policy& p, std::int64_t v) { p.batch = v; }, 1, 10'000},
        Bound{"LANES", [](Policy& p, std::int64_t v) { p.lanes = v; }, 1, 1'000},
        Bound{"RATE_PER_S", [](Policy& p, std::int64_t v) { p.rate_per_s = v; }, 0, 100'000},
        Bound{"MAX_ATTEMPTS",
              [](Policy& p, std::int64_t v) { p.attempts_max = static_cast<int>(v); }, 1, 20},
        Bound{"MAX_FAILED_PERMILLE",
              [](Policy& p, std::int64_t v) { p.failed_permille_max = static_cast<int>(v); }, 0,
              1000}),
    [](const auto& bound) { return std::string(bound.param.name); });

TEST(Policy, TimesOfZeroAreRefused) {
  for (Duration Policy::* const time : {&Policy::batch_budget, &Policy::connect_timeout,
                                        &Policy::read_timeout, &Policy::statement_timeout}) {
    Policy policy;
    policy.*time = 0s;
    EXPECT_EQ(policy.problems(), Lines{"BATCH_BUDGET_S, CONNECT_TIMEOUT_S, READ_TIMEOUT_S and "
                                       "STATEMENT_TIMEOUT_S must be above 0"});
  }
  Policy policy;
  policy.deadline = 0s;
  EXPECT_EQ(policy.problems(), Lines{"DEADLINE_S=0: must be above 0"});
}

TEST(Policy, EveryProblemIsNamedAtOnce) {
  Policy policy;
  policy.batch = 0;
  policy.lease = 1s;
  policy.deadline = 0s;
  EXPECT_EQ(policy.problems().size(), 3u);
}

// With 100 lanes and a batch of 200 the record comes while there is still room to start more.
TEST(Policy, RecordsLongBeforeABatchIsUnrecorded) {
  Policy policy;
  EXPECT_EQ(policy.record_at(), 75);
  policy.lanes = 1000;
  EXPECT_EQ(policy.record_at(), 50);
  policy.batch = 1;
  EXPECT_EQ(policy.record_at(), 1);
}

TEST(Policy, DurationsAreShownInTheirLargestWholeUnit) {
  EXPECT_EQ(to_text(90s), "90 s");
  EXPECT_EQ(to_text(1500ms), "1500 ms");
  EXPECT_EQ(to_text(1001us), "1001 us");
  EXPECT_EQ(to_text(Duration(0)), "0 s");
}

}  // namespace
}  // namespace core
