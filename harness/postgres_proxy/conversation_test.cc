#include "harness/postgres_proxy/conversation.h"

#include <gtest/gtest.h>

namespace harness::postgres_proxy {
namespace {

std::string length_of(std::size_t bytes) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<unsigned char>(bytes >> static_cast<unsigned>(shift)));
  return out;
}
std::string message(char type, const std::string& body = "") {
  return type + length_of(body.size() + 4) + body;
}
std::string untyped(std::uint32_t code, const std::string& body = "") {
  return length_of(body.size() + 8) + length_of(code) + body;
}
std::string bind(const std::string& name) {
  return message('B', '\0' + name + '\0' + std::string(6, '\0'));
}
std::string sync() {
  return message('S');
}
// As libpq executes what it has prepared.
std::string statement(const std::string& name) {
  return bind(name) + message('D', std::string("P\0", 2)) + message('E', std::string(5, '\0')) +
         sync();
}
std::string ready() {
  return message('Z', "I");
}
std::string answer(const std::string& row = "row") {
  return message('2') + message('D', row) + message('C', "SELECT 1") + ready();
}

constexpr std::uint32_t protocol_3 = 196608;

class ConversationTest : public ::testing::Test {
 protected:
  void begin(Fate fate, std::int64_t nth = 1) {
    strikes_ = Strikes({{"record_batch", nth, fate, 5}});
    client(untyped(protocol_3, "user"));
    server(message('R', "ok") + ready());
    seen_ = {};
  }
  void client(const std::string& bytes) { talk_.client_says(bytes, seen_); }
  void server(const std::string& bytes) { talk_.server_says(bytes, seen_); }
  Orders taken() { return std::exchange(seen_, {}); }

  Strikes strikes_{{}};
  Conversation talk_{strikes_};
  Orders seen_;
};

TEST_F(ConversationTest, PassesAllBytesOnHoweverTheyAreCut) {
  strikes_ = Strikes({{"record_batch", 9, Fate::lose, 0}});
  const std::string from_client = untyped(protocol_3, "user") + message('p', "secret") +
                                  message('Q', "set x = 1") + statement("record_batch") +
                                  statement("clock") + message('X');
  const std::string from_server = message('R', "ok") + ready() + answer() + answer();
  for (std::size_t cut = 1; cut < 40; ++cut) {
    Conversation talk(strikes_);
    strikes_ = Strikes({{"record_batch", 9, Fate::lose, 0}});
    Orders orders;
    for (std::size_t at = 0; at < from_client.size(); at += cut)
      talk.client_says(from_client.substr(at, cut), orders);
    for (std::size_t at = 0; at < from_server.size(); at += cut)
      talk.server_says(from_server.substr(at, cut), orders);
    EXPECT_EQ(orders.to_server, from_client) << cut;
    EXPECT_EQ(orders.to_client, from_server) << cut;
    EXPECT_FALSE(orders.close_client || orders.close_server || orders.struck);
  }
}

TEST_F(ConversationTest, EncryptionIsRefusedAndACancelPassedOn) {
  client(untyped(ssl_request));
  client(untyped(gss_request));
  EXPECT_EQ(seen_.to_client, "NN");
  EXPECT_EQ(seen_.to_server, "");
  client(untyped(cancel_request, "pid and key"));
  EXPECT_EQ(seen_.to_server, untyped(cancel_request, "pid and key"));
}

TEST_F(ConversationTest, OnlyTheNthIsStruck) {
  begin(Fate::lose, 2);
  client(statement("record_batch"));
  server(answer());
  client(statement("claim_batch"));
  server(answer());
  EXPECT_EQ(taken().struck, std::nullopt);
  client(statement("record_batch"));
  EXPECT_EQ(seen_.struck, 5U);
  EXPECT_EQ(seen_.to_server, "");
}

TEST_F(ConversationTest, WhoDiesInTheMiddleOfAStatementHasNotAsked) {
  begin(Fate::lose, 1);
  client(bind("record_batch") + message('E', std::string(5, '\0')));
  talk_.client_left(seen_);
  EXPECT_EQ(seen_.to_server, "");
  EXPECT_EQ(seen_.struck, std::nullopt);
  EXPECT_TRUE(seen_.close_server);
  EXPECT_NE(strikes_.reached("record_batch"), nullptr) << "it was counted";
}

TEST_F(ConversationTest, ALostStatementNeverArrives) {
  begin(Fate::lose);
  client(statement("record_batch"));
  EXPECT_FALSE(seen_.close_client) << "before the deeds of its moment";
  EXPECT_FALSE(talk_.hears_client());
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_server + seen_.to_client, "");
  EXPECT_TRUE(seen_.close_client && seen_.close_server);
}

TEST_F(ConversationTest, ALostAnswerIsDoneFirst) {
  begin(Fate::lose_answer);
  client(statement("record_batch"));
  EXPECT_EQ(seen_.to_server, statement("record_batch"));
  EXPECT_EQ(seen_.struck, std::nullopt);
  server(answer().substr(0, answer().size() - 1));
  EXPECT_EQ(seen_.struck, std::nullopt) << "it is not committed before the server is ready again";
  server("I");
  EXPECT_EQ(seen_.struck, 5U);
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_client, "");
  EXPECT_TRUE(seen_.close_client && seen_.close_server);
}

TEST_F(ConversationTest, AMomentAloneHoldsTheAnswerUntilItsDeedsAreDone) {
  begin(Fate::answered);
  client(statement("record_batch"));
  server(answer());
  EXPECT_EQ(seen_.struck, 5U);
  EXPECT_EQ(seen_.to_client, "");
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_client, answer());
  client(statement("record_batch"));
  server(answer());
  EXPECT_EQ(seen_.to_client, answer() + answer()) << "the next one passes";
}

TEST_F(ConversationTest, AGhostIsDoneAfterItsClientHasGone) {
  begin(Fate::ghost);
  client(statement("record_batch"));
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_server, "");
  EXPECT_TRUE(seen_.close_client);
  EXPECT_FALSE(seen_.close_server);
  ASSERT_TRUE(talk_.ghost());
  talk_.land(seen_);
  EXPECT_EQ(seen_.to_server, statement("record_batch"));
  EXPECT_FALSE(seen_.landed);
  server(answer());
  EXPECT_TRUE(seen_.landed && seen_.close_server);
  EXPECT_EQ(seen_.to_client, "");
}

TEST_F(ConversationTest, AGhostWhoseSessionIsGoneDoesNotLand) {
  begin(Fate::ghost);
  client(statement("record_batch"));
  talk_.go_on(seen_);
  talk_.server_left(seen_);
  talk_.land(seen_);
  EXPECT_FALSE(seen_.landed);
  EXPECT_TRUE(seen_.close_server);
}

TEST_F(ConversationTest, ARefusedStatementIsAnsweredWithAnErrorAndTheSessionLives) {
  begin(Fate::refuse);
  client(statement("record_batch"));
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_server, sync());
  server(ready());
  EXPECT_EQ(seen_.to_client, error_message("40P01", "deadlock detected") + ready());
  EXPECT_FALSE(seen_.close_client || seen_.close_server);
  (void)taken();
  client(statement("record_batch"));
  server(answer());
  EXPECT_EQ(seen_.to_client, answer());
}

TEST_F(ConversationTest, AnswersToWhatWasAskedBeforeStillCome) {
  begin(Fate::lose_answer);
  client(statement("clock") + statement("record_batch"));
  server(answer("of the clock"));
  EXPECT_EQ(seen_.struck, std::nullopt);
  server(answer());
  EXPECT_EQ(seen_.struck, 5U);
  EXPECT_EQ(seen_.to_client, answer("of the clock"));
}

TEST_F(ConversationTest, WhatTheClientSentAheadComesAfterIt) {
  begin(Fate::answered);
  client(statement("record_batch") + statement("clock"));
  EXPECT_EQ(seen_.to_server, statement("record_batch"));
  server(answer());
  talk_.go_on(seen_);
  EXPECT_EQ(seen_.to_server, statement("record_batch") + statement("clock"));
}

TEST_F(ConversationTest, AServerThatLeavesBeforeItsAnswerEndsTheMomentToo) {
  begin(Fate::lose_answer);
  client(statement("record_batch"));
  talk_.server_left(seen_);
  EXPECT_EQ(seen_.struck, 5U);
  talk_.go_on(seen_);
  EXPECT_TRUE(seen_.close_client);
}

TEST_F(ConversationTest, TheServersLastWordReachesTheClient) {
  begin(Fate::lose);
  server(message('E', "the administrator ends it"));
  talk_.server_left(seen_);
  EXPECT_EQ(seen_.to_client, message('E', "the administrator ends it"));
  EXPECT_TRUE(seen_.close_client && seen_.close_server);
}

TEST_F(ConversationTest, AStatementWithFlushPassesUncounted) {
  begin(Fate::lose);
  const std::string flushed = bind("record_batch") + message('H');
  client(flushed);
  EXPECT_EQ(seen_.to_server, flushed);
  EXPECT_NE(strikes_.reached("record_batch"), nullptr) << "it was counted";
}

TEST_F(ConversationTest, WhatIsNoMessageEndsTheConversation) {
  begin(Fate::lose);
  client('B' + length_of(message_bytes_max + 1));
  EXPECT_TRUE(seen_.close_client && seen_.close_server);
}

}  // namespace
}  // namespace harness::postgres_proxy
