// A fault of our own code, thrown by ASSERT in the simulator: one more oracle.
#pragma once

#include <stdexcept>

namespace sim {

struct AssertionBroken : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace sim
