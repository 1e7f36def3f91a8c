// Any bytes as what a sender may post, as its key and path, and as the harness's settings.
#include "core/assert.h"
#include "core/testing/fuzz.h"
#include "fake_mail/json.h"
#include "fake_mail/mail_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fake_mail;
  const std::string text(core::testing::text_of(data, size));
  if (const auto mail = read_mail(text)) {
    ASSERT(!mail->recipient.empty());
    const auto spaced = read_mail(" " + text + "\n");  // white space doesn't count
    ASSERT(spaced && spaced->recipient == mail->recipient && spaced->payload == mail->payload);
  }
  ASSERT(read_key(text).size() <= text.size());
  ASSERT(read_owner(text).find('/') == std::string_view::npos);
  if (text.find_first_of("\"\\") == std::string::npos) ASSERT(read_key("\"" + text + "\"") == text);

  if (const auto behaviour = behaviour_from_json(text)) {
    ASSERT(behaviour_from_json(to_json(*behaviour)) == behaviour);
  } else {
    ASSERT(!behaviour.error().empty());
  }
  if (const auto counters = counters_from_json(text))
    ASSERT(counters_from_json(to_json(*counters)).has_value());
  return 0;
}
