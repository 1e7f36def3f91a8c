#include "core/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace core {
namespace {

TEST(JsonText, EscapesWhatMustBeAndNothingElse) {
  EXPECT_EQ(json_string(""), "\"\"");
  EXPECT_EQ(json_string("o'brien@x.org"), "\"o'brien@x.org\"");
  EXPECT_EQ(json_string("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
  EXPECT_EQ(json_string("\r\n\t"), "\"\\u000d\\u000a\\u0009\"");
  EXPECT_EQ(json_string("jos\u00e9 \u202e \U0001f600"), "\"jos\u00e9 \u202e \U0001f600\"");
}

TEST(JsonText, AnotherParserReadsTheSameBytes) {
  std::string all;
  for (int c = 0; c < 0x80; ++c) all += static_cast<char>(c);
  all += "\u00e9\u4f8b\U0001f600\u2028";
  EXPECT_EQ(nlohmann::json::parse(json_string(all)).get<std::string>(), all);
}

}  // namespace
}  // namespace core
