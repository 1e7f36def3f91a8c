// The lines of a trace, without their checksums.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "sim/trace/trace.h"

namespace sim {

constexpr std::string_view trace_magic = "sendproof-trace";
constexpr int trace_schema = 1;

std::string head_line(const Trace& trace);
std::string step_line(const TracedStep& step);
std::string ending_line(const Ending& ending);

// Of the first line, whatever follows: is it a trace, and one of this program's schema?
std::expected<void, Refusal> read_schema(std::string_view line);
std::expected<void, Refusal> read_head(std::string_view line, Trace& trace);
std::expected<TracedStep, Refusal> read_step(std::string_view line);
std::expected<Ending, Refusal> read_ending(std::string_view line);

}  // namespace sim
