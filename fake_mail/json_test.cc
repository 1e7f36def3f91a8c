#include "fake_mail/json.h"

#include <gtest/gtest.h>

namespace fake_mail {
namespace {

std::string refusal(std::string_view text) {
  const auto behaviour = behaviour_from_json(text);
  return behaviour ? "accepted" : behaviour.error();
}

TEST(Json, ABehaviourWithoutFieldsIsTheDefault) {
  EXPECT_EQ(behaviour_from_json("{}"), Behaviour{});
}

TEST(Json, RefusesWhatItDoesNotKnowAndNamesIt) {
  EXPECT_EQ(refusal(R"({"limit":5})"), "behaviour.limit: unknown field");
  EXPECT_EQ(refusal(R"({"rules":[{"evry":5}]})"), "behaviour.rules[0].evry: unknown field");
}

TEST(Json, RefusesValuesOutOfRange) {
  EXPECT_EQ(refusal(R"({"permille_503":1001})"),
            "behaviour.permille_503: must be an integer from 0 to 1000, not 1001");
  EXPECT_EQ(refusal(R"({"permille_503":600,"permille_422":600})"),
            "behaviour.permille_*: must add up to 1000 or less");
  EXPECT_NE(refusal(R"({"rules":[{"every":0}]})"), "accepted");
  EXPECT_NE(refusal(R"({"latency_us":[[900,1]]})"), "accepted");
  EXPECT_NE(refusal(R"({"block_us":-1})"), "accepted");
  EXPECT_NE(refusal(R"({"block_us":1.5})"), "accepted");
  EXPECT_NE(refusal(R"({"block_us":18446744073709551615})"), "accepted");
  EXPECT_NE(refusal(R"({"seed":-1})"), "accepted");
  EXPECT_NE(refusal("[]"), "accepted");
  EXPECT_NE(refusal("{"), "accepted");
}

TEST(Json, CountersSurviveTheirJsonForm) {
  const Counters counters{.accepted = 1,
                          .accepted_members = 2,
                          .requests = 3,
                          .repeats = 4,
                          .refused = 5,
                          .open_requests = 6,
                          .max_in_any_second = 7,
                          .by_owner = {{"p1", {1, 2, 3}}, {"", {}}}};
  EXPECT_EQ(counters_from_json(to_json(counters)), counters);
  EXPECT_FALSE(counters_from_json("{}").has_value());
}

}  // namespace
}  // namespace fake_mail
