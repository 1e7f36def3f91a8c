// MAIL_URL, taken apart (RFC 3986; no user information, no query, no fragment).
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace core::http {

struct MailUrl {
  bool https = false;
  std::string host;  // without the brackets of an IPv6 literal
  int port = 0;
  std::string path;            // begins with /
  std::string origin() const;  // "https://host:port": who the provider is
};

// Error: one line that says what is wrong with it and what would be right.
std::expected<MailUrl, std::string> parse_mail_url(std::string_view text);

}  // namespace core::http
