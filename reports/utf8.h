// UTF-8 as it comes from command lines and other programs: possibly broken.
#pragma once

#include <cstddef>
#include <string_view>

namespace reports {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;  // 1 when it is not valid
  bool valid = false;     // no overlong forms, surrogates or values beyond U+10FFFF
};

// The first character of `text`. Requires: text is not empty.
CodePoint first_code_point(std::string_view text);

}  // namespace reports
