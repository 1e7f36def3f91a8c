// Text in columns of a terminal. A character counts as one column, which is true of what is printed
// here except for wide scripts in a sender's command.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reports {

// Returns: the number of characters.
std::size_t width_of(std::string_view text);

// Returns: `text` with its middle replaced by "..." when it is wider than `most`; control
// characters and invalid UTF-8 as '?'. Requires: most >= 5.
std::string shortened(std::string_view text, std::size_t most);

std::string padded_left(std::string_view text, std::size_t width);
std::string padded_right(std::string_view text, std::size_t width);

// Returns: lines of at most `most`, broken at blanks where there are any, each ending in '\n';
// later ones are indented. Control characters and invalid UTF-8 as '?'.
std::string wrapped(std::string_view text, std::size_t most);

}  // namespace reports
