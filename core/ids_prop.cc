#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/ids.h"

namespace core {
namespace {

RC_GTEST_PROP(Ids, ATokenComesBackFromItsText, (std::uint64_t high, std::uint64_t low)) {
  const Token token{high, low};
  Token parsed;
  RC_ASSERT(parse_token(to_string(token), parsed));
  RC_ASSERT(parsed == token);
}

}  // namespace
}  // namespace core
