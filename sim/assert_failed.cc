// In the simulator an assertion is one more oracle: the world that it breaks says so and goes on to
// be shrunk.
#include <string>

#include "core/assert.h"
#include "sim/world/assertion.h"

namespace core {

void assert_failed(const char* condition, const char* file, int line) {
  throw sim::AssertionBroken(std::string(condition) + " at " + file + ":" + std::to_string(line));
}

}  // namespace core
