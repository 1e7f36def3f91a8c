#include "core/http/mail_url.h"

#include <gtest/gtest.h>

namespace core::http {
namespace {

MailUrl valid(std::string_view text) {
  const auto url = parse_mail_url(text);
  EXPECT_TRUE(url.has_value()) << (url ? "" : url.error());
  return url.value_or(MailUrl{});
}

std::string problem(std::string_view text) {
  const auto url = parse_mail_url(text);
  EXPECT_FALSE(url.has_value()) << text;
  return url ? "" : url.error();
}

TEST(MailUrl, IsTakenApart) {
  const MailUrl url = valid("https://mail.example.com/v1/send");
  EXPECT_TRUE(url.https);
  EXPECT_EQ(url.host, "mail.example.com");
  EXPECT_EQ(url.port, 443);
  EXPECT_EQ(url.path, "/v1/send");
  EXPECT_EQ(url.origin(), "https://mail.example.com:443");
}

TEST(MailUrl, PortsAndIpv6AreTaken) {
  EXPECT_EQ(valid("http://127.0.0.1:65535/p1/send").port, 65535);
  EXPECT_EQ(valid("http://mail.example.com/").port, 80);
  const MailUrl v6 = valid("http://[::1]:8080/send");
  EXPECT_EQ(v6.host, "::1");
  EXPECT_EQ(v6.port, 8080);
  EXPECT_EQ(v6.origin(), "http://[::1]:8080");
  EXPECT_EQ(valid("https://[2001:db8::1]/send").port, 443);
}

TEST(MailUrl, SaysWhatIsWrong) {
  const std::string expected =
      "; expected a full URL with a path, such as https://mail.example.com/v1/send";
  EXPECT_EQ(problem("mail.example.com/send"),
            "MAIL_URL=mail.example.com/send: must begin with https:// or http://" + expected);
  EXPECT_EQ(problem("ftp://x/send"),
            "MAIL_URL=ftp://x/send: must begin with https:// or http://" + expected);
  EXPECT_EQ(problem("http://x"), "MAIL_URL=http://x: has no path" + expected);
  EXPECT_EQ(problem("http:///send"), "MAIL_URL=http:///send: has no host" + expected);
  EXPECT_EQ(problem("http://x/a?b"),
            "MAIL_URL=http://x/a?b: must not hold a query or fragment" + expected);
  EXPECT_EQ(problem("http://x/a#b"),
            "MAIL_URL=http://x/a#b: must not hold a query or fragment" + expected);
  EXPECT_EQ(problem("http://x/a b"),
            "MAIL_URL=http://x/a b: holds a character that no URL has" + expected);
  EXPECT_EQ(problem("http://[::1/send"),
            "MAIL_URL=http://[::1/send: the [ of an IPv6 address is not closed");
}

TEST(MailUrl, ThePasswordInItIsNotRepeated) {
  for (const char* text :
       {"https://user:hunter2@x/send", "https://user:hunter2@x", "https://user:hunter2@x y/send"}) {
    const std::string said = problem(text);
    EXPECT_NE(said.find("use MAIL_API_KEY"), std::string::npos) << said;
    EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
  }
}

TEST(MailUrl, PortsThatAreNone) {
  for (const char* text : {"http://x:/send", "http://x:0/send", "http://x:65536/send",
                           "http://x:8o/send", "http://x:-1/send", "http://x:99999999999/send",
                           "http://x:80:80/send", "http://[::1]x80/send", "http://[::1]:/send"}) {
    EXPECT_EQ(problem(text),
              "MAIL_URL=" + std::string(text) + ": the port must be a number from 1 to 65535");
  }
}

TEST(MailUrl, ControlCharactersCantReachTheRequestLine) {
  for (const std::string text :
       {"http://x/send\r\nX: y", "http://x/\n", "http://x\t/send", "http://x/\x7f"}) {
    problem(text);
  }
  problem(std::string_view("http://x/\0a", 11));
}

}  // namespace
}  // namespace core::http
