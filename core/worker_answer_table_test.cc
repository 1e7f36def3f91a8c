// The worker does what the table of answers says, row by row.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/answer_table.h"
#include "core/testing/lone_worker.h"

namespace core {
namespace {

using testing::LoneWorker;
using testing::status;

constexpr MemberId odd{50};

std::vector<SendAnswer> examples() {
  std::vector<SendAnswer> all;
  for (const AnswerRow& row : answer_rows()) {
    const bool rest = row.first == INT32_MIN;
    std::vector<int> statuses{row.first};
    if (row.last != row.first) statuses.push_back(row.last);
    if (rest) statuses = {201, 204, 299, 500, 502, 504, 599, 999};
    if (row.first == 400) statuses = {400, 410, 413, 422, 451, 499};
    for (const int code : statuses) all.push_back({row.transport, code, std::nullopt});
  }
  return all;
}

class EachAnswer : public ::testing::TestWithParam<SendAnswer> {
 protected:
  const KindRow& row() const { return row_of(classify(GetParam())); }
  static bool is_weather(const KindRow& row) { return row.charged == Charged::member_or_weather; }
  static std::int64_t requests_for(const LoneWorker& night, MemberId member) {
    std::int64_t count = 0;
    for (const auto& send : night.driver.sends()) count += send.member == member ? 1 : 0;
    return count;
  }
};

// Whose trouble costs the member something.
class EachMembersAnswer : public EachAnswer {};

std::vector<SendAnswer> charged_examples() {
  auto all = examples();
  std::erase_if(all, [](const SendAnswer& answer) {
    return row_of(classify(answer)).charged == Charged::nobody;
  });
  return all;
}

std::string name_of(const ::testing::TestParamInfo<SendAnswer>& example) {
  switch (example.param.transport) {
    case Transport::answered:
      return "status_" + std::to_string(example.param.status);
    case Transport::not_sent:
      return "no_connection";
    case Transport::in_doubt:
      return "no_answer";
    case Transport::untrusted:
      return "untrusted";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(OfTheTable, EachAnswer, ::testing::ValuesIn(examples()), name_of);
INSTANTIATE_TEST_SUITE_P(OfTheTable, EachMembersAnswer, ::testing::ValuesIn(charged_examples()),
                         name_of);

// field case: F31
TEST_P(EachAnswer, OnceAboutOneMember) {
  LoneWorker night(100);
  bool said = false;
  night.driver.provider = [&](MemberId member, const std::string&) {
    if (member != odd || said) return status(200);
    said = true;
    return GetParam();
  };
  const Exit exit = night.driver.run();
  ASSERT_TRUE(said);
  const auto& after = night.member(core::number(odd));
  const bool ends_run = row().kind == AnswerKind::credentials;
  EXPECT_EQ(exit.code == ExitCode::refused, ends_run) << exit.reason;
  if (ends_run) {
    EXPECT_EQ(after.state, RowState::pending);
    EXPECT_EQ(after.attempts, 0);
    return;
  }
  const bool fails =
      row().charged != Charged::nobody && row().delivered == Delivered::no && !is_weather(row());
  EXPECT_EQ(after.state, fails ? RowState::failed : RowState::sent);
  const bool tried_again = row().bad_weather;
  EXPECT_EQ(requests_for(night, odd), tried_again ? 2 : 1);
  EXPECT_EQ(after.attempts,
            row().charged == Charged::nobody || row().kind == AnswerKind::sent ? 0 : 1);
  EXPECT_EQ(night.all<Pause>().size(), row().kind == AnswerKind::throttled ? 1U : 0U);
}

// field case: F31
TEST_P(EachMembersAnswer, AlwaysAboutOneMember) {
  LoneWorker night(100, testing::without_deadline());
  night.driver.provider = [&](MemberId member, const std::string&) {
    return member == odd ? GetParam() : status(200);
  };
  night.driver.run();
  const RowState ends = row().delivered == Delivered::yes  ? RowState::sent
                        : row().delivered == Delivered::no ? RowState::failed
                                                           : RowState::unknown;
  EXPECT_EQ(night.member(core::number(odd)).state, ends);
  EXPECT_EQ(requests_for(night, odd), is_weather(row()) ? night.policy.attempts_max : 1);
}

TEST_P(EachAnswer, AlwaysAboutEverybody) {
  LoneWorker night(100);
  night.driver.latency = std::chrono::milliseconds(100);
  night.driver.provider = [&](MemberId, const std::string&) { return GetParam(); };
  if (row().bad_weather) {
    night.start_until_asked<Pause>();
    ASSERT_FALSE(night.driver.exit());
    EXPECT_EQ(night.campaign.attempts(), 0);
    EXPECT_EQ(night.campaign.count(RowState::pending), 100);
    return;
  }
  const Exit exit = night.driver.run();
  const bool set_up =
      row().charged == Charged::member_or_set_up || row().kind == AnswerKind::credentials;
  EXPECT_EQ(exit.code == ExitCode::refused, set_up) << exit.reason;
  const RowState all = set_up                              ? RowState::pending
                       : row().delivered == Delivered::yes ? RowState::sent
                                                           : RowState::failed;
  EXPECT_EQ(night.campaign.count(all), 100);
  if (set_up) {
    EXPECT_EQ(night.campaign.attempts(), 0);
  }
}

TEST(AnswerTable, HasARowForEachKindInItsOrder) {
  for (std::size_t i = 0; i < kind_rows().size(); ++i)
    EXPECT_EQ(kind_rows()[i].kind, static_cast<AnswerKind>(i));
  EXPECT_EQ(kind_rows().back().kind, AnswerKind::credentials);
}

// field case: F31
TEST(AnswerTable, IsThePage) {
  std::ifstream file(SENDPROOF_ROOT "/deploy/ANSWERS.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), answers_page())
      << "make it anew: build/bin/campaign_sender --answers > deploy/ANSWERS.md";
}

}  // namespace
}  // namespace core
