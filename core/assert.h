// ASSERT(condition): a fault of our own, checked in every build.
#pragma once

namespace core {

// Defined by whoever drives the core: core/os writes a line and aborts, the simulator throws so
// that a failing schedule can be shrunk. A link-time symbol: core itself has no choice to make.
[[noreturn]] void assert_failed(const char* condition, const char* file, int line);

}  // namespace core

#define ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::core::assert_failed(#condition, __FILE__, __LINE__))
