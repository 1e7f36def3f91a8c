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

}  // namespace
}  // namespace core
