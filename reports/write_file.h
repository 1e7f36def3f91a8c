// A file that is there whole or not at all.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>

namespace reports {

// One line for a person: what, where, and what would be right.
struct WriteError {
  std::string message;
};

std::unexpected<WriteError> cant_write(const std::filesystem::path& path, std::string_view why);

// Atomic: a reader sees the whole of it, or what was there before. Blocks until it is on disk.
std::expected<void, WriteError> write_file(const std::filesystem::path& path,
                                           std::string_view text);

}  // namespace reports
