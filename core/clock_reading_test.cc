#include "core/clock_reading.h"

#include <gtest/gtest.h>

namespace core {
namespace {

Instant local(Duration at) {
  return Instant(at);
}
DbTime database(Duration at) {
  return DbTime(1000h + at);
}

TEST(ClockReading, TheAnswerHeardSoonestCounts) {
  ClockReading clock;
  clock.heard(local(1s + 90ms), database(1s));
  EXPECT_EQ(clock.local(database(2s)), local(2s + 90ms));
  clock.heard(local(2s + 1ms), database(2s));
  clock.heard(local(3s + 500ms), database(3s));
  EXPECT_EQ(clock.local(database(4s)), local(4s + 1ms));
}

TEST(ClockReading, WhatWasHeardLongAgoIsForgottenForClocksDrift) {
  ClockReading clock;
  clock.heard(local(1s), database(1s));
  clock.heard(local(20s + 30ms), database(20s));  // the database's clock has fallen behind
  EXPECT_EQ(clock.local(database(20s)), local(20s));
  clock.heard(local(40s + 30ms), database(40s));
  EXPECT_EQ(clock.local(database(40s)), local(40s + 30ms));
}

TEST(ClockReading, AClockThatJumpsAheadIsFollowedAtOnce) {
  ClockReading clock;
  clock.heard(local(1s), database(1s));
  clock.heard(local(2s), database(1h));
  EXPECT_EQ(clock.local(database(1h + 1s)), local(3s));
}

}  // namespace
}  // namespace core
