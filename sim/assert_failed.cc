// In the simulator an assertion is one more oracle: the world that it breaks says so and goes on to
// be shrunk.
#include "core/assert.h"
#include "core/assertion_text.h"
#include "sim/world/assertion.h"

namespace core {

void assert_failed(const char* condition, const char* file, int line) {
  throw sim::AssertionBroken(assertion_text(condition, file, line));
}

}  // namespace core
