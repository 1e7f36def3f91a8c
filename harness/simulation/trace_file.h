// Traces in files, and as the word that a failing run ends with.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "sim/trace/trace.h"

namespace harness {

// A file that went through another system may begin with a byte-order mark and have CRLF line ends:
// they are no part of a trace and are passed over.

// `file`: a path, or the word itself; what exists as a file is one. Errors: one line, file:line:
// what; what would be right.
std::expected<sim::Trace, std::string> read_trace(const std::string& file);

// Writes the file anew with right checksums. Errors: as above.
std::expected<void, std::string> resign_trace(const std::string& file);

}  // namespace harness
