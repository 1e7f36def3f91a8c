// What a broken assertion says.
#pragma once

#include <string>
#include <string_view>

namespace core {

// Returns: "a sent member is recorded by its id alone, at core/claim.cc:49": of
// `false && "a sentence"` the sentence, else the condition; the file as the repository names it.
std::string assertion_text(std::string_view condition, std::string_view file, int line);

}  // namespace core
