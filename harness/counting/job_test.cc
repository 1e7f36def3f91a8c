#include "harness/counting/job.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using scenarios::JobPolicy;

Job job(JobPolicy policy, std::int64_t backoff_limit) {
  return Job({.policy = policy, .backoff_limit = backoff_limit, .memory_limit_bytes = 0});
}

TEST(Job, ALostPodIsReplacedUntilTheLimit) {
  Job one = job(JobPolicy::forbid, 2);
  EXPECT_EQ(one.begin(1), (std::vector<Job::Pod>{1}));
  EXPECT_EQ(one.ended(1, 137).pod, 2);
  EXPECT_EQ(one.ended(2, 1).pod, 3);
  EXPECT_FALSE(one.over());
  EXPECT_EQ(one.ended(3, 1).due, Job::Due::dropped);
  EXPECT_TRUE(one.over());
  EXPECT_TRUE(one.gave_up());
}

TEST(Job, SuccessEndsIt) {
  Job one = job(JobPolicy::forbid, 2);
  one.begin(1);
  EXPECT_EQ(one.ended(1, 137).due, Job::Due::start);
  EXPECT_EQ(one.ended(2, 0).due, Job::Due::dropped);
  EXPECT_TRUE(one.over());
  EXPECT_FALSE(one.gave_up());
}

TEST(Job, BackoffLimitZeroLeavesALostPodLost) {
  Job one = job(JobPolicy::forbid, 0);
  one.begin(1);
  EXPECT_EQ(one.ended(1, 137).due, Job::Due::dropped);
  EXPECT_TRUE(one.gave_up());
}

TEST(Job, ForbidDropsAnOverlappingStart) {
  Job one = job(JobPolicy::forbid, 2);
  one.begin(1);
  EXPECT_EQ(one.fire().due, Job::Due::dropped);
  one.ended(1, 0);
  EXPECT_EQ(one.fire().pod, 2) << "the next night's run";
}

TEST(Job, AllowStartsASecondJobWithRestartsOfItsOwn) {
  Job jobs = job(JobPolicy::allow, 1);
  jobs.begin(1);
  EXPECT_EQ(jobs.fire().pod, 2);
  EXPECT_EQ(jobs.ended(1, 1).pod, 3);
  EXPECT_EQ(jobs.ended(2, 1).pod, 4) << "the first Job's failure doesn't count against the second";
  EXPECT_EQ(jobs.ended(3, 1).due, Job::Due::dropped);
  EXPECT_FALSE(jobs.over());
  jobs.ended(4, 0);
  EXPECT_TRUE(jobs.over());
}

TEST(Job, PodsOfOneForbiddenJobShareItsLimit) {
  Job one = job(JobPolicy::forbid, 1);
  EXPECT_EQ(one.begin(3), (std::vector<Job::Pod>{1, 2, 3}));
  EXPECT_EQ(one.ended(1, 1).pod, 4);
  EXPECT_EQ(one.ended(2, 1).due, Job::Due::dropped);
  EXPECT_EQ(one.ended(3, 1).due, Job::Due::dropped) << "a failed Job starts nothing more";
}

Job nightly(const scenarios::Job& rules) {
  return Job(rules);
}

TEST(Job, ItsDeadlineCoversAllItsPods) {
  Job one = nightly({.backoff_limit = 2, .active_deadline = std::chrono::seconds(4200)});
  one.begin(1, std::chrono::seconds(100));
  EXPECT_EQ(one.ended(1, 1).pod, 2);
  EXPECT_TRUE(one.expire(std::chrono::seconds(4299)).empty());
  EXPECT_EQ(one.expire(std::chrono::seconds(4300)), (std::vector<Job::Pod>{2}));
  EXPECT_TRUE(one.expire(std::chrono::seconds(4301)).empty()) << "once";
  EXPECT_EQ(one.ended(2, 1).due, Job::Due::dropped);
  EXPECT_TRUE(one.over());
  EXPECT_TRUE(one.gave_up());
}

TEST(Job, AnExitThatItFailsOnIsNotStartedAgain) {
  Job one = nightly({.backoff_limit = 2, .fail_on = {2, 3}});
  one.begin(1);
  EXPECT_EQ(one.ended(1, 2).due, Job::Due::dropped);
  EXPECT_TRUE(one.over());
  EXPECT_FALSE(one.gave_up()) << "nothing is left but for a person";
  Job refused = nightly({.backoff_limit = 2, .fail_on = {2, 3}});
  refused.begin(1);
  EXPECT_EQ(refused.ended(1, 3).due, Job::Due::dropped);
  EXPECT_TRUE(refused.gave_up());
}

TEST(Job, TheNextNightHasRestartsOfItsOwn) {
  Job one = nightly({.backoff_limit = 0});
  one.begin(2);
  EXPECT_TRUE(one.schedule(2, std::chrono::hours(24)).empty()) << "not overtaken";
  one.ended(1, 1);
  one.ended(2, 0);
  EXPECT_TRUE(one.gave_up());
  EXPECT_EQ(one.schedule(2, std::chrono::hours(24)), (std::vector<Job::Pod>{3, 4}));
  EXPECT_FALSE(one.gave_up());
}

}  // namespace
}  // namespace harness
