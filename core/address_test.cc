#include "core/address.h"

#include <gtest/gtest.h>

#include <string>

namespace core {
namespace {

using namespace std::string_literals;

TEST(Address, UnusualButSendable) {
  for (const std::string& address :
       {"a@x.org"s, "o'brien@x.org"s, "\"quoted local part\"@x.org"s, "\"at@in.quotes\"@x.org"s,
        "back\\slash@x.org"s, "jos\u00e9@x.org"s, "user@b\u00fccher.example"s,
        "\u7528\u6237@\u4f8b\u3048.jp"s, "\u202eright-to-left@x.org"s, "\U0001f600@x.org"s,
        std::string(64, 'l') + "@" + std::string(255, 'd')}) {
    EXPECT_TRUE(is_sendable_address(address)) << address;
  }
}

TEST(Address, EmptyAndHalvesAreNotSendable) {
  for (const std::string& address : {""s, "@"s, "a@"s, "@x.org"s, "nobody"s}) {
    EXPECT_FALSE(is_sendable_address(address)) << address;
  }
}

TEST(Address, ControlCharactersAreNotSendable) {
  for (int c = 0; c < 0x20; ++c) {
    EXPECT_FALSE(is_sendable_address("a"s + static_cast<char>(c) + "b@x.org")) << c;
  }
  EXPECT_FALSE(is_sendable_address("a\x7f@x.org"));
  EXPECT_FALSE(is_sendable_address("a@x.org\r\nBcc: everybody@x.org"));
  EXPECT_FALSE(is_sendable_address("a\0@x.org"s));
}

TEST(Address, LongerThan320BytesIsNotSendable) {
  const std::string longest = std::string(64, 'l') + "@" + std::string(255, 'd');
  EXPECT_TRUE(is_sendable_address(longest));
  EXPECT_FALSE(is_sendable_address(longest + "d"));
}

// Bytes that JSON could not carry.
TEST(Address, WhatIsNotUtf8IsNotSendable) {
  for (const std::string& bytes : {"\xff"s, "\x80"s, "\xc0\xaf"s, "\xc1\xbf"s, "\xe0\x80\xaf"s,
                                   "\xed\xa0\x80"s, "\xf0\x80\x80\x80"s, "\xf4\x90\x80\x80"s,
                                   "\xf5\x80\x80\x80"s, "\xc3"s, "\xe2\x82"s, "\xc3("s}) {
    EXPECT_FALSE(is_sendable_address(bytes + "a@x.org")) << testing::PrintToString(bytes);
    EXPECT_FALSE(is_sendable_address("a@x.org" + bytes)) << testing::PrintToString(bytes);
  }
}

TEST(Address, LastCharacterMayBeWide) {
  EXPECT_TRUE(is_sendable_address("a@x.\u00e9"));
  EXPECT_TRUE(is_sendable_address("a@x.\u4f8b"));
  EXPECT_TRUE(is_sendable_address("a@x.\U0001f600"));
}

}  // namespace
}  // namespace core
