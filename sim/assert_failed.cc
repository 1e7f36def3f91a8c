// In the simulator an assertion is one more oracle.
#include <string>

#include "core/assert.h"
#include "sim/world.h"

namespace core {

void assert_failed(const char* condition, const char* file, int line) {
  throw sim::OracleBroken("assertion " + std::string(condition) + " at " + file + ":" +
                          std::to_string(line));
}

}  // namespace core
