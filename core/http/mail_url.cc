#include "core/http/mail_url.h"

#include <charconv>

namespace core::http {
namespace {

constexpr const char* wanted =
    "; expected a full URL with a path, such as https://mail.example.com/v1/send";

}  // namespace

std::string MailUrl::origin() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (https ? "https://" : "http://") + (v6 ? "[" + host + "]" : host) + ":" +
         std::to_string(port);
}

std::expected<MailUrl, std::string> parse_mail_url(std::string_view text) {
  const std::string shown = "MAIL_URL=" + std::string(text);
  MailUrl url;
  if (text.starts_with("https://")) {
    url.https = true;
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    return std::unexpected(shown + ": must begin with https:// or http://" + wanted);
  }
  if (text.substr(0, text.find('/')).find('@') != std::string_view::npos) {
    return std::unexpected(
        "MAIL_URL: must not hold a user or password (not repeated here); use MAIL_API_KEY");
  }
  for (const char c : text) {
    if (c <= ' ' || c == '"' || c == '\\' || c == 0x7f)
      return std::unexpected(shown + ": holds a character that no URL has" + wanted);
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::unexpected(shown + ": has no path" + wanted);
  url.path = text.substr(slash);
  std::string_view authority = text.substr(0, slash);
  if (url.path.find_first_of("?#") != std::string::npos) {
    return std::unexpected(shown + ": must not hold a query or fragment" + wanted);
  }
  std::string_view port;
  if (authority.starts_with("[")) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos)
      return std::unexpected(shown + ": the [ of an IPv6 address is not closed");
    url.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    const std::size_t colon = authority.find(':');
    url.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (url.host.empty()) return std::unexpected(shown + ": has no host" + wanted);
  url.port = url.https ? 443 : 80;
  if (!port.empty()) {
    const bool follows_colon = port.starts_with(":");
    port.remove_prefix(1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    if (!follows_colon || error != std::errc() || end != port.data() + port.size() ||
        url.port < 1 || url.port > 65535) {
      return std::unexpected(shown + ": the port must be a number from 1 to 65535");
    }
  }
  return url;
}

}  // namespace core::http
