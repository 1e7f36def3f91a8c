// The traces of sim/regressions: schedules that once went wrong, or that a wrong sender goes wrong
// on. Each must still be what it says.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/simulation/trace_file.h"

namespace harness {
namespace {

TEST(Regressions, EachTraceEndsAsItSays) {
  int traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SENDPROOF_REGRESSIONS)) {
    if (entry.path().extension() != ".trace") continue;
    const std::string file = entry.path().string();
    const auto trace = read_trace(file);
    ASSERT_TRUE(trace) << trace.error();
    const sim::Replay night = sim::replay(trace->settings, trace->deviations());
    EXPECT_NE(night.fit, sim::Fit::stale) << file << " tests nothing any more";
    EXPECT_EQ(night.verdict ? std::optional(night.verdict->oracle) : std::nullopt,
              trace->ending.broken)
        << file << (night.verdict ? ": " + night.verdict->what : "");
    ++traces;
  }
  EXPECT_GE(traces, 2);
}

}  // namespace
}  // namespace harness
