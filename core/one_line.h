// Somebody else's text in a message of one line.
#pragma once

#include <string>
#include <string_view>

namespace core {

// Control characters as \n, \r, \t or \x1b; everything else byte by byte as it is.
std::string on_one_line(std::string_view text);

}  // namespace core
