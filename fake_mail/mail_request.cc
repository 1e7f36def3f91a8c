#include "fake_mail/mail_request.h"

#include <nlohmann/json.hpp>

#include "fake_mail/draw.h"

namespace fake_mail {

using Json = nlohmann::json;

std::optional<Mail> read_mail(std::string_view body) {
  const Json mail = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!mail.is_object()) return std::nullopt;
  Mail read{.recipient = {}, .payload = hash_text(mail.dump())};
  const auto member = mail.find("member_id");
  const auto address = mail.find("to");
  if (member != mail.end() && member->is_number_integer())
    read.recipient = member->dump();
  else if (member != mail.end() && member->is_string())
    read.recipient = member->get<std::string>();
  else if (address != mail.end() && address->is_string())
    read.recipient = address->get<std::string>();
  if (read.recipient.empty()) return std::nullopt;
  return read;
}

std::string read_key(std::string_view header) {
  if (header.size() < 2 || header.front() != '"' || header.back() != '"')
    return std::string(header);
  std::string key;
  for (std::size_t i = 1; i + 1 < header.size(); ++i) {
    if (header[i] == '\\' && i + 2 < header.size()) ++i;
    key.push_back(header[i]);
  }
  return key;
}

std::string_view read_owner(std::string_view path) {
  if (path.empty() || path.front() != '/') return "";
  path.remove_prefix(1);
  const std::size_t end = path.find('/');
  return end == std::string_view::npos || end + 1 == path.size() ? "" : path.substr(0, end);
}

}  // namespace fake_mail
