#include "core/metrics/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace core::metrics {
namespace {

// The value of the series with this name and these labels beside the campaign; empty: none.
std::string value(const Metrics& metrics, const std::string& series) {
  std::istringstream lines(metrics.text());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("campaign_sender_" + series + " "))
      return line.substr(line.rfind(' ') + 1);
  return "";
}

StoreAnswer answer_with(decltype(StoreAnswer::result) result,
                        StoreStatus status = StoreStatus::answered) {
  StoreAnswer answer;
  answer.status = status;
  answer.result = std::move(result);
  return answer;
}

SendFinished answered(int status) {
  SendFinished finished;
  finished.answer.status = status;
  return finished;
}

TEST(Metrics, RequestsCountByWhatTheirAnswerMeans) {
  Metrics metrics("spring");
  EXPECT_EQ(value(metrics, "requests_total{campaign=\"spring\",kind=\"sent\"}"), "0");
  for (int i = 0; i < 4; ++i) metrics.request_started();
  metrics.request_finished(answered(200), 150ms);
  metrics.request_finished(answered(503), 20ms);
  SendFinished lost;
  lost.answer.transport = Transport::in_doubt;
  metrics.request_finished(lost, 7s);
  EXPECT_EQ(value(metrics, "requests_total{campaign=\"spring\",kind=\"sent\"}"), "1");
  EXPECT_EQ(value(metrics, "requests_total{campaign=\"spring\",kind=\"not accepted\"}"), "1");
  EXPECT_EQ(value(metrics, "requests_total{campaign=\"spring\",kind=\"in doubt\"}"), "1");
  EXPECT_EQ(value(metrics, "requests_in_flight{campaign=\"spring\"}"), "1");
  EXPECT_EQ(value(metrics, "request_seconds_count{campaign=\"spring\"}"), "3");
  EXPECT_EQ(value(metrics, "request_seconds_bucket{campaign=\"spring\",le=\"0.2\"}"), "2");
}

TEST(Metrics, ARequestThatWasNotStartedIsNoRequest) {
  Metrics metrics("spring");
  metrics.request_started();
  SendFinished late = answered(0);
  late.started = false;
  metrics.request_finished(late, 1ms);
  EXPECT_EQ(value(metrics, "requests_in_flight{campaign=\"spring\"}"), "0");
  EXPECT_EQ(value(metrics, "request_seconds_count{campaign=\"spring\"}"), "0");
}

RecordBatch record_of_five() {
  RecordBatch record;
  record.sent = {MemberId(1), MemberId(2)};
  record.others.resize(3);
  record.others[0].state = RowState::failed;
  record.others[1].delay = 30s;
  return record;  // the third is released
}

TEST(Metrics, OutcomesCountOnceTheyAreWritten) {
  Metrics metrics("spring");
  metrics.asked(record_of_five());
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"sent\"}"), "0");
  metrics.answered(answer_with(Recorded{RecordVerdict::recorded, 5}));
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"sent\"}"), "2");
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"failed\"}"), "1");
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"retry\"}"), "1");
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"released\"}"), "1");
}

TEST(Metrics, ARefusedRecordIsAStaleWriteAndNothingElse) {
  Metrics metrics("spring");
  metrics.asked(record_of_five());
  metrics.answered(answer_with(Recorded{RecordVerdict::stale, 0}));
  EXPECT_EQ(value(metrics, "stale_writes_total{campaign=\"spring\"}"), "1");
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"sent\"}"), "0");
}

TEST(Metrics, WhatTheDatabaseDidNotDoCountsNowhere) {
  Metrics metrics("spring");
  metrics.asked(record_of_five());
  metrics.answered(answer_with({}, StoreStatus::in_doubt));
  EXPECT_EQ(value(metrics, "recorded_total{campaign=\"spring\",state=\"sent\"}"), "0");
  metrics.statement("record_batch", 3ms, false);
  EXPECT_EQ(value(metrics,
                  "statements_total{campaign=\"spring\",result=\"failed\",statement=\"record_"
                  "batch\"}"),
            "1");
}

TEST(Metrics, ChecksSayWhoWasHeldBackAndWhetherAllArePaused) {
  Metrics metrics("spring");
  metrics.asked(Recheck{});
  metrics.answered(answer_with(Rechecked{{MemberId(7), MemberId(9)}, DbTime(5s), false}));
  EXPECT_EQ(value(metrics, "held_back_total{campaign=\"spring\"}"), "2");
  EXPECT_EQ(value(metrics, "provider_paused{campaign=\"spring\"}"), "1");
  metrics.answered(answer_with(Rechecked{}));
  EXPECT_EQ(value(metrics, "provider_paused{campaign=\"spring\"}"), "0");
}

TEST(Metrics, AnEmptyClaimIsNoClaim) {
  Metrics metrics("spring");
  metrics.asked(ClaimBatch{});
  metrics.answered(answer_with(Claimed{}));
  EXPECT_EQ(value(metrics, "claims_total{campaign=\"spring\",of=\"batch\"}"), "0");
  Claimed found;
  found.found = true;
  metrics.answered(answer_with(found));
  EXPECT_EQ(value(metrics, "claims_total{campaign=\"spring\",of=\"batch\"}"), "1");
}

TEST(Metrics, AForecastGoesWhenThereIsNoneAnyMore) {
  Metrics metrics("spring");
  metrics.remaining(600, 60s);
  EXPECT_EQ(value(metrics, "campaign_finish_seconds{campaign=\"spring\"}"), "60");
  metrics.remaining(600, std::nullopt);
  EXPECT_EQ(value(metrics, "campaign_finish_seconds{campaign=\"spring\"}"), "");
  EXPECT_EQ(value(metrics, "campaign_remaining{campaign=\"spring\"}"), "600");
}

TEST(Metrics, TheEndSaysItsCodeAndTheCampaignsMembers) {
  Metrics metrics("spring");
  EXPECT_EQ(value(metrics, "exit_code{campaign=\"spring\"}"), "");
  Exit exit{ExitCode::look, "", {}};
  exit.report.totals = {.total = 10, .sent = 8, .failed = 2};
  metrics.finished(exit);
  EXPECT_EQ(value(metrics, "exit_code{campaign=\"spring\"}"), "2");
  EXPECT_EQ(value(metrics, "campaign_members{campaign=\"spring\",state=\"failed\"}"), "2");
}

TEST(Metrics, ACampaignsNameCannotBreakTheText) {
  const std::string text = Metrics("a\"b\\c").text();
  EXPECT_NE(text.find("campaign=\"a\\\"b\\\\c\""), std::string::npos) << text.substr(0, 400);
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace core::metrics
