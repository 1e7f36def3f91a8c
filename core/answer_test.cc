#include "core/answer.h"

#include <gtest/gtest.h>

#include <map>

namespace core {
namespace {

AnswerKind kind_of(int status) {
  return classify(SendAnswer{Transport::answered, status, std::nullopt});
}

// field case: F29
TEST(Answer, EveryStatusHasItsKind) {
  const std::map<int, AnswerKind> named = {
      {200, AnswerKind::sent},         {401, AnswerKind::credentials},
      {407, AnswerKind::credentials},  {402, AnswerKind::endpoint},
      {403, AnswerKind::endpoint},     {404, AnswerKind::endpoint},
      {405, AnswerKind::endpoint},     {406, AnswerKind::endpoint},
      {415, AnswerKind::endpoint},     {408, AnswerKind::not_accepted},
      {421, AnswerKind::not_accepted}, {425, AnswerKind::not_accepted},
      {409, AnswerKind::in_doubt},     {429, AnswerKind::throttled},
      {503, AnswerKind::not_accepted},
  };
  for (int status = 100; status <= 599; ++status) {
    AnswerKind expected = AnswerKind::in_doubt;  // 1xx, other 2xx, other 5xx
    if (status >= 300 && status < 400) expected = AnswerKind::endpoint;
    if (status >= 400 && status < 500) expected = AnswerKind::refused;
    if (const auto it = named.find(status); it != named.end()) expected = it->second;
    EXPECT_EQ(kind_of(status), expected) << status;
  }
}

TEST(Answer, WhatIsNoStatusAtAllIsInDoubt) {
  for (const int status : {-1, 0, 99, 600, 999})
    EXPECT_EQ(kind_of(status), AnswerKind::in_doubt) << status;
}

TEST(Answer, AFailedConnectionDecidesWhateverTheStatusSays) {
  for (const int status : {0, 200, 422}) {
    EXPECT_EQ(classify({Transport::not_sent, status, std::nullopt}), AnswerKind::not_accepted);
    EXPECT_EQ(classify({Transport::in_doubt, status, std::nullopt}), AnswerKind::in_doubt);
    EXPECT_EQ(classify({Transport::untrusted, status, std::nullopt}), AnswerKind::credentials);
  }
}

TEST(Answer, OnlyTheProvidersOwnTroubleIsWeather) {
  EXPECT_TRUE(is_bad_weather(AnswerKind::not_accepted));
  EXPECT_TRUE(is_bad_weather(AnswerKind::in_doubt));
  EXPECT_TRUE(is_bad_weather(AnswerKind::throttled));
  EXPECT_FALSE(is_bad_weather(AnswerKind::sent));
  EXPECT_FALSE(is_bad_weather(AnswerKind::refused));
  EXPECT_FALSE(is_bad_weather(AnswerKind::endpoint));
  EXPECT_FALSE(is_bad_weather(AnswerKind::credentials));
}

}  // namespace
}  // namespace core
