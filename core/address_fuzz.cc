// Any bytes as an address: either refused, or the same bytes again after another JSON parser has
// read what we wrote; and whatever they are, they stay within their string.
#include <nlohmann/json.hpp>

#include "core/address.h"
#include "core/assert.h"
#include "core/json_text.h"
#include "core/testing/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using nlohmann::json;
  const std::string text(core::testing::text_of(data, size));
  const std::string literal = core::json_string(text);
  for (const char c : literal) ASSERT(static_cast<unsigned char>(c) >= 0x20);

  const json read =
      json::parse("{\"to\":" + literal + ",\"member_id\":7}", nullptr, /*allow_exceptions=*/false);
  const bool utf8 = !read.is_discarded();
  if (utf8) {
    ASSERT(read.size() == 2 && read.at("member_id") == 7);
    ASSERT(read.at("to").get_ref<const std::string&>() == text);
  }

  bool sendable = utf8 && !text.empty() && text.size() <= 320;
  for (const char c : text)
    sendable = sendable && static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  const std::size_t at = text.rfind('@');
  sendable = sendable && at != std::string::npos && at > 0 && at + 1 < text.size();
  ASSERT(core::is_sendable_address(text) == sendable);
  return 0;
}
