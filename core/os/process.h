// What a program asks of the system: time, threads, signals, memory. Linux.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/time.h"

namespace core::os {

// CLOCK_MONOTONIC.
Instant monotonic_now();

// "2026-03-01T17:00:00.123Z": the wall clock, for a log's reader. Nothing is decided by it.
std::string utc_now();

// 64 bits from the kernel, for a seed.
std::uint64_t random_seed();

// Fixes what peak memory depends on beside the work: one malloc arena, large blocks mapped and
// given back. Requires: called first in main.
void keep_memory_flat();

// A thread with a fixed small stack; joined by its destructor. 100 default stacks would not fit the
// memory bound.
class SmallThread {
 public:
  SmallThread(std::size_t stack_bytes, std::function<void()> body);
  ~SmallThread();
  SmallThread(const SmallThread&) = delete;
  SmallThread& operator=(const SmallThread&) = delete;

 private:
  struct Body;
  Body* body_ = nullptr;
  unsigned long thread_ = 0;  // pthread_t
};

// Ends the process with this code and line (on stderr) unless it is destroyed before the limit has
// passed: for calls that may block for ever before there is a driver to give up on them. SIGALRM,
// so that no thread is needed. Requires: one at a time; limit of at least a second.
class Watchdog {
 public:
  Watchdog(Duration limit, int code, const std::string& line);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
};

// Blocks SIGTERM and SIGINT in this thread and all that it starts later; until on_stop_signal they
// wait. SIGPIPE is ignored from here on. Requires: called before any other thread is started, or
// that thread would take the signal and end the process.
void block_stop_signals();

// Calls `on_stop` from a thread of its own at each SIGTERM and SIGINT, those that waited included.
// The thread lives as long as the process. Requires: block_stop_signals() was called.
void on_stop_signal(std::function<void()> on_stop);

}  // namespace core::os
