// A line that a sender printed, as far as the harness reads it (other lines are for people).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace harness {

struct SenderLine {
  enum class Kind {
    started,
    read,     // the audience is in its memory
    waiting,  // nothing to do before until_us
    working,  // the wait is over
    finished,
  };
  Kind kind = Kind::started;
  std::int64_t until_us = 0;  // waiting: campaign time, microseconds since 1970
  std::int64_t holding = 0;   // waiting: members claimed meanwhile
  std::int64_t db_us = -1;    // finished: time spent in claim and record; -1: not said
  std::int64_t stale_writes = 0;
};

// nullopt: not one of ours.
std::optional<SenderLine> read_sender_line(std::string_view line);

}  // namespace harness
