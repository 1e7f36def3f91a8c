// For callers whom nobody watches: tests and benchmarks.
#pragma once

#include "harness/run.h"

namespace harness {

class SilentProgress : public Progress {
 public:
  void stage(std::string_view) override {}
  void count(std::string_view, std::int64_t, std::int64_t, std::int64_t) override {}
  void note(std::string_view) override {}
};

}  // namespace harness
