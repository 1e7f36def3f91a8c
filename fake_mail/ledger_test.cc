#include "fake_mail/ledger.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fake_mail {
namespace {

using core::operator""us;
using core::operator""ms;
using core::operator""s;

constexpr Arrival start{core::Duration(1'000'000)};

TEST(StringPool, GivesEachTextOneNumber) {
  StringPool pool;
  EXPECT_EQ(pool.number_of(""), 0U);
  for (int round = 0; round < 2; ++round)
    for (int i = 1; i <= 50'000; ++i)
      ASSERT_EQ(pool.number_of("spring-2026:" + std::to_string(i)), static_cast<std::uint32_t>(i));
  EXPECT_EQ(pool.text(50'000), "spring-2026:50000");
  EXPECT_EQ(pool.text(0), "");
}

TEST(StringPool, KeepsLongTexts) {
  StringPool pool;
  for (const std::size_t length : {127U, 128U, 129U, 255U, 256U, 30'000U, 32'767U}) {
    const std::string text(length, 'x');
    const auto number = pool.number_of(text);
    pool.number_of(std::string(length, 'y'));
    EXPECT_EQ(pool.text(number), text);
  }
  EXPECT_EQ(pool.text(pool.number_of(std::string(100'000, 'z'))).size(), 32'767U);
}

TEST(Ledger, WritesRequestsInTheOrderOfArrival) {
  Ledger ledger;
  const Parties first = ledger.know("p1", "1", "");
  const Parties second = ledger.know("p2", "a,\"b\"@example.org", "c:2");
  ledger.log(second, start + 2us, 200, Outcome::delivered);
  ledger.log(first, start + 1us, 429, Outcome::throttled);
  std::ostringstream out;
  ledger.write_csv(out);
  EXPECT_EQ(out.str(),
            "arrival_us,owner,recipient,key,status,outcome\n"
            "1000001,p1,1,,429,throttled\n"
            "1000002,p2,\"a,\"\"b\"\"@example.org\",c:2,200,delivered\n");
}

TEST(Ledger, ALateAnswerIsThatOfTheLastOfTwinsThatArrivedAtOnce) {
  Ledger ledger;
  const Parties twins = ledger.know("p1", "1", "c:1");
  ledger.log(twins, start, 503, Outcome::unavailable);
  ledger.log(twins, start, 0, Outcome::delivered);
  ledger.answer_late(twins, start, 200);
  std::ostringstream out;
  ledger.write_csv(out);
  EXPECT_EQ(out.str(),
            "arrival_us,owner,recipient,key,status,outcome\n"
            "1000000,p1,1,c:1,503,unavailable\n"
            "1000000,p1,1,c:1,200,delivered\n");
}

TEST(Ledger, NamesTheOwnerOfEachAccept) {
  Ledger ledger;
  for (int i = 0; i < 10; ++i)
    ledger.deliver(ledger.know(i % 2 == 0 ? "p1" : "p2", std::to_string(i), ""), 1, {}, {});
  EXPECT_EQ(ledger.owner_of_accept(1), "p1");
  EXPECT_EQ(ledger.owner_of_accept(2), "p2");
  EXPECT_EQ(ledger.owner_of_accept(10), "p2");
}

TEST(Ledger, CountsConnectionsByOwner) {
  Ledger ledger;
  ledger.log_connection("p1");
  ledger.log_connection("p1");
  EXPECT_EQ(ledger.counters({}).by_owner.at("p1").connections, 2);
}

TEST(RequestLog, TheBusiestSecondIsOpenAtItsBeginning) {
  RequestLog log;
  const SkippedTime clock;
  log.add({.arrival = start});
  log.add({.arrival = start + 1s});
  EXPECT_EQ(log.max_in_any_second(clock), 1);
  log.add({.arrival = start + 1s - 1us});
  EXPECT_EQ(log.max_in_any_second(clock), 2);
}

TEST(RequestLog, SkippedTimeParts) {
  RequestLog log;
  SkippedTime clock;
  log.add({.arrival = start});
  clock.skip(start + 10ms, 5s);
  log.add({.arrival = start + 20ms});
  EXPECT_EQ(log.max_in_any_second(clock), 1);
}

}  // namespace
}  // namespace fake_mail
