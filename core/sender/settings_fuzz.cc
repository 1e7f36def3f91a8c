// Any environment, NAME=VALUE parted by NUL: refused in whole lines that keep the key to
// themselves, or settings that a request can carry.
#include <algorithm>
#include <map>

#include "core/assert.h"
#include "core/sender/settings.h"
#include "core/testing/fuzz.h"

namespace core::sender {
namespace {

std::map<std::string, std::string> environment_of(std::string_view text) {
  std::map<std::string, std::string> variables;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos)
      variables.try_emplace(std::string(one.substr(0, equals)), one.substr(equals + 1));
  }
  return variables;
}

bool is_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
}

bool stands_once(std::string_view text, std::string_view part) {
  return text.find(part) == text.rfind(part);
}

void can_be_used(const Settings& settings) {
  ASSERT(settings.policy.problems().empty());
  ASSERT(settings.poll >= 1ms && settings.policy.min_interval >= 0s);
  ASSERT(!settings.campaign.empty() && !settings.provider.empty());
  const std::string key = idempotency_key(settings.campaign, MemberId(7));
  for (const std::string_view text :
       {std::string_view(key), std::string_view(settings.mail.api_key),
        std::string_view(settings.mail.url.host), std::string_view(settings.mail.url.path)}) {
    ASSERT(is_one_line(text));
  }
  ASSERT(key.find_first_of("\"\\") == std::string::npos);
  ASSERT(settings.mail.url.path.starts_with('/') && !settings.mail.url.host.empty());
  ASSERT(settings.mail.url.port >= 1 && settings.mail.url.port <= 65535);
}

}  // namespace
}  // namespace core::sender

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace core::sender;
  const std::string_view text = core::testing::text_of(data, size);
  const auto variables = environment_of(text);
  std::vector<std::string> problems;
  const Settings settings = read_settings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      },
      problems);
  const std::string& key = settings.mail.api_key;
  const bool recognisable = key.size() >= 8 && stands_once(text, key);
  for (const std::string& problem : problems) {
    ASSERT(!problem.empty() && is_one_line(problem));
    ASSERT(!recognisable || problem.find(key) == std::string::npos);
  }
  if (problems.empty()) can_be_used(settings);
  return 0;
}
