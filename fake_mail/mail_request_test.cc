#include "fake_mail/mail_request.h"

#include <gtest/gtest.h>

namespace fake_mail {
namespace {

TEST(MailRequest, TheRecipientIsTheMemberElseTheAddress) {
  EXPECT_EQ(read_mail(R"({"to":"a@example.org","member_id":12})")->recipient, "12");
  EXPECT_EQ(read_mail(R"({"to":"a@example.org","member_id":"12"})")->recipient, "12");
  EXPECT_EQ(read_mail(R"({"to":"a@example.org"})")->recipient, "a@example.org");
}

TEST(MailRequest, RefusesWhatHasNoRecipient) {
  for (const char* body :
       {"", "{", "[]", "{}", "null", R"({"member_id":1.5})", R"({"member_id":""})", R"({"to":7})"})
    EXPECT_FALSE(read_mail(body).has_value()) << body;
}

TEST(MailRequest, ThePayloadIsTheValueAndNotItsSpelling) {
  const auto payload = [](const char* body) { return read_mail(body)->payload; };
  EXPECT_EQ(payload(R"({"to":"a","member_id":1})"), payload(R"({ "member_id": 1, "to": "a" })"));
  EXPECT_NE(payload(R"({"to":"a","member_id":1})"), payload(R"({"to":"b","member_id":1})"));
}

TEST(MailRequest, AKeyMayBeQuoted) {
  EXPECT_EQ(read_key("spring:1"), "spring:1");
  EXPECT_EQ(read_key("\"spring:1\""), "spring:1");
  EXPECT_EQ(read_key(R"("a\"b\\c")"), R"(a"b\c)");
  EXPECT_EQ(read_key("\""), "\"");
  EXPECT_EQ(read_key(""), "");
}

TEST(MailRequest, TheOwnerIsTheFirstOfAtLeastTwoSegments) {
  EXPECT_EQ(read_owner("/p1/send"), "p1");
  EXPECT_EQ(read_owner("/p1/v1/send"), "p1");
  EXPECT_EQ(read_owner("/send"), "");
  EXPECT_EQ(read_owner("/p1/"), "");
  EXPECT_EQ(read_owner("/"), "");
}

}  // namespace
}  // namespace fake_mail
