#include "core/os/process.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/assert.h"
#include "core/assertion_text.h"

namespace core {

void assert_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "assertion failed: %s\n", assertion_text(condition, file, line).c_str());
  std::abort();
}

}  // namespace core

namespace core::os {
namespace {

sigset_t stop_signals() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  return stops;
}

}  // namespace

Instant monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return Instant(Duration(now.tv_sec * 1'000'000 + now.tv_nsec / 1'000));
}

std::string utc_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm utc{};
  gmtime_r(&now.tv_sec, &utc);
  char text[sizeof "2026-03-01T17:00:00"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  const std::string thousandths = std::to_string(1000 + now.tv_nsec / 1'000'000).substr(1);
  return std::string(text) + "." + thousandths + "Z";
}

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  ASSERT(getrandom(&seed, sizeof seed, 0) == static_cast<ssize_t>(sizeof seed));
  return seed;
}

void keep_memory_flat() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_TRIM_THRESHOLD, 256 * 1024);
}

struct SmallThread::Body {
  std::function<void()> run;
};

SmallThread::SmallThread(std::size_t stack_bytes, std::function<void()> body)
    : body_(new Body{std::move(body)}) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  const auto run = [](void* raw) -> void* {
    static_cast<Body*>(raw)->run();
    return nullptr;
  };
  const int error = pthread_create(&thread_, &attributes, run, body_);
  pthread_attr_destroy(&attributes);
  ASSERT(error == 0);
}

SmallThread::~SmallThread() {
  pthread_join(thread_, nullptr);
  delete body_;
}

namespace {

// Of the one watchdog; a signal handler can be told nothing.
std::array<char, 512> watchdog_line;
std::size_t watchdog_bytes = 0;
int watchdog_code = 0;

extern "C" void watchdog_bites(int) {
  (void)!write(STDERR_FILENO, watchdog_line.data(), watchdog_bytes);
  _exit(watchdog_code);
}

}  // namespace

Watchdog::Watchdog(Duration limit, int code, const std::string& line) {
  watchdog_bytes = line.copy(watchdog_line.data(), watchdog_line.size() - 1);
  watchdog_line[watchdog_bytes++] = '\n';
  watchdog_code = code;
  std::signal(SIGALRM, watchdog_bites);
  alarm(static_cast<unsigned>(limit / std::chrono::seconds(1)));
}

Watchdog::~Watchdog() {
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
}

void block_stop_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t stops = stop_signals();
  pthread_sigmask(SIG_BLOCK, &stops, nullptr);
}

void on_stop_signal(std::function<void()> on_stop) {
  std::thread([stops = stop_signals(), on_stop = std::move(on_stop)] {
    for (;;) {
      int signal = 0;
      sigwait(&stops, &signal);
      on_stop();
    }
  }).detach();
}

}  // namespace core::os
