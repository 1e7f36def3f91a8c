// What a worker says it holds, against what its copies really ask for. A program of its own: it
// replaces operator new.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "core/testing/lone_worker.h"

namespace {

bool counting = false;
std::size_t counted = 0;

}  // namespace

// Out of line: where both are seen at once, the compiler takes malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (counting) counted += size;
  if (void* place = std::malloc(size)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}

namespace core {
namespace {

// At every moment of a small night with refusals, retries and a pause.
TEST(WorkerHeldBytes, AreWhatACopyAsksFor) {
  testing::LoneWorker night(60);
  night.driver.provider = [](MemberId member, const std::string&) {
    return testing::status(number(member) % 7 == 0 ? 503 : number(member) % 11 == 0 ? 422 : 200);
  };
  night.driver.start();
  std::size_t most = 0;
  do {
    counted = 0;
    counting = true;
    const Worker copy = night.driver.worker();
    counting = false;
    ASSERT_EQ(copy.held_bytes(), sizeof(Worker) + counted);
    EXPECT_GE(night.driver.worker().held_bytes(), copy.held_bytes());
    most = std::max(most, copy.held_bytes());
  } while (night.driver.step());
  EXPECT_GT(most, sizeof(Worker) + 60 * sizeof(ClaimMember));
}

// The most that a worker held, while a request takes this long and a statement that.
std::size_t most_held(Duration request, Duration statement) {
  testing::LoneWorker night(1'000);
  night.driver.latency = request;
  night.driver.start();
  std::size_t most = 0;
  std::optional<Instant> answer_at;
  while (!night.driver.exit()) {
    most = std::max(most, night.driver.worker().held_bytes());
    if (!night.driver.asked() || statement == Duration(0)) {
      night.driver.step();
      continue;
    }
    if (!answer_at) answer_at = night.driver.now() + statement;
    const auto& flying = night.driver.flying();
    if (night.driver.now() >= *answer_at) {
      answer_at.reset();
      night.driver.answer_store();
    } else if (!flying.empty() && night.driver.now() >= flying.front().started + request) {
      night.driver.answer_send(flying.front().member, testing::status(200));
    } else {
      Instant until = *answer_at;
      if (!flying.empty()) until = std::min(until, flying.front().started + request);
      night.driver.pass(std::max(until - night.driver.now(), Duration(1)));
    }
  }
  return most;
}

// Two batches, and a state for each lane: whoever is waited for.
// field case: F44
TEST(WorkerHeldBytes, AreNoMoreUnderASlowProviderOrDatabaseOrBoth) {
  const std::size_t quick = most_held(0s, 0s);
  for (const Duration request : {Duration(0s), Duration(5s)}) {
    for (const Duration statement : {Duration(0s), Duration(60ms), Duration(8s)}) {
      EXPECT_LE(most_held(request, statement), quick + 200 * sizeof(ClaimMember))
          << request.count() << " us, " << statement.count() << " us";
    }
  }
}

}  // namespace
}  // namespace core
