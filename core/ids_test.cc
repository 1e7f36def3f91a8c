#include "core/ids.h"

#include <gtest/gtest.h>

namespace core {
namespace {

TEST(Ids, ATokenIsWrittenAsAUuid) {
  const Token token{0x0123456789abcdefu, 0xfedcba9876543210u};
  EXPECT_EQ(to_string(token), "01234567-89ab-cdef-fedc-ba9876543210");
}

TEST(Ids, WhatIsNotAUuidLeavesTheTokenAlone) {
  for (const std::string_view text :
       {"", "-", "01234567-89ab-cdef-fedc-ba987654321", "01234567-89ab-cdef-fedc-ba98765432100",
        "01234567-89ab-cdef-fedc-ba987654321g", "01234567-89AB-cdef-fedc-ba9876543210"}) {
    Token token{1, 2};
    EXPECT_FALSE(parse_token(text, token)) << text;
    EXPECT_EQ(token, (Token{1, 2}));
  }
}

TEST(Ids, AKeyIsTheCampaignAndTheMemberToTheLastDigit) {
  EXPECT_EQ(idempotency_key("spring-2026", MemberId(7)), "spring-2026:7");
  EXPECT_EQ(idempotency_key("s", MemberId(9'007'199'254'740'993)), "s:9007199254740993");
  EXPECT_EQ(idempotency_key("s", MemberId(9'223'372'036'854'775'807)), "s:9223372036854775807");
  EXPECT_EQ(idempotency_key("s", MemberId(-1)), "s:-1");
}

}  // namespace
}  // namespace core
