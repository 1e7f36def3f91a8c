// "python3 mine.py --name 'spring sale'" into its words, as a POSIX shell does: blanks part words;
// '...' is taken as it is; "..." knows \" and \\; a backslash outside quotes takes the next
// character. No variables, globs or pipes: no shell is ever started.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// Errors: an open quote, a backslash at the end, no word at all.
std::expected<std::vector<std::string>, std::string> split_command(std::string_view command);

}  // namespace harness
