// Any texts, parted by NUL, which PostgreSQL's text can't hold: as elements of arrays, as reasons,
// as addresses and as SQLSTATEs.
#include <cstring>

#include "core/address.h"
#include "core/assert.h"
#include "core/pg/codec.h"
#include "core/testing/fuzz.h"

namespace core::pg {
namespace {

using Elements = std::vector<std::optional<std::string>>;

// Reads a one-dimensional array literal. Source: PostgreSQL 17, 8.15.6.
Elements elements_of(const std::string& literal) {
  ASSERT(literal.size() >= 2 && literal.front() == '{' && literal.back() == '}');
  Elements elements;
  const std::size_t end = literal.size() - 1;
  for (std::size_t at = 1; at < end; ++at) {
    std::string element;
    const bool quoted = literal[at] == '"';
    if (quoted) {
      for (++at; literal.at(at) != '"'; ++at) {
        if (literal[at] == '\\') ++at;
        element += literal.at(at);
      }
      ++at;
    } else {
      for (; at < end && literal[at] != ','; ++at) {
        ASSERT(std::strchr("\"\\{} ", literal[at]) == nullptr);
        element += literal[at];
      }
      ASSERT(!element.empty());
    }
    ASSERT(at == end || (literal[at] == ',' && at + 1 < end));
    elements.push_back(!quoted && element == "NULL" ? std::nullopt : std::optional(element));
  }
  return elements;
}

std::vector<std::string> split_at_nul(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t end = text.find('\0'); end != std::string_view::npos; end = text.find('\0')) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) parts.emplace_back(text);
  return parts;
}

void texts_come_back(const std::vector<std::string>& texts) {
  ASSERT(elements_of(array_of(texts)) == Elements(texts.begin(), texts.end()));
}

// Reasons are the only text among the seven columns; no column may become longer than another.
void reasons_come_back(const std::vector<std::string>& texts) {
  RecordRetries record;
  for (const std::string& text : texts) {
    Outcome outcome;
    outcome.member = MemberId(std::ssize(record.others));
    outcome.reason = text;
    record.others.push_back(outcome);
  }
  const Call call = encode(record, {"spring", "mail", Policy{}});
  for (std::size_t i = 3; i < call.params.size(); ++i)
    ASSERT(elements_of(call.params[i]).size() == texts.size());
  const Elements reasons = elements_of(call.params.at(5));
  for (std::size_t i = 0; i < texts.size(); ++i)
    ASSERT(texts[i].empty() ? !reasons[i] : reasons[i] == texts[i]);
}

void addresses_come_back(const std::vector<std::string>& texts) {
  std::vector<Row> rows;
  for (const std::string& text : texts)
    rows.push_back({"1", "4", "1", "0", {}, "f", std::to_string(rows.size()), text, "0"});
  if (rows.empty()) return;
  const StoreReply reply = decode(ClaimBatch{}, rows);
  ASSERT(reply.addresses == texts);
  const auto& members = std::get<Claimed>(reply.answer.result).members;
  for (std::size_t i = 0; i < texts.size(); ++i)
    ASSERT(members.at(i).sendable == is_sendable_address(texts[i]));
}

void ids_come_back(std::string_view bytes) {
  std::vector<MemberId> ids;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::int64_t id = 0;
    std::memcpy(&id, bytes.data(), 8);
    ids.push_back(MemberId(id));
  }
  const StoreReply reply = decode(Recheck{}, {{"1", "0", "f", array_of(ids)}});
  ASSERT(std::get<Rechecked>(reply.answer.result).held_back == ids);
}

// The first text is the SQLSTATE, the second what the server says about it.
void a_failure_is_no_success(const std::vector<std::string>& texts) {
  if (texts.size() < 2) return;
  for (const Delivery delivery : {Delivery::not_sent, Delivery::answered, Delivery::lost}) {
    const StoreAnswer answer = failure({delivery, {}, texts[0], texts[1]});
    ASSERT(answer.status != StoreStatus::answered);
    ASSERT((answer.status == StoreStatus::in_doubt) == (delivery == Delivery::lost));
  }
}

}  // namespace
}  // namespace core::pg

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace core::pg;
  const std::string_view bytes = core::testing::text_of(data, size);
  const std::vector<std::string> texts = split_at_nul(bytes);
  texts_come_back(texts);
  reasons_come_back(texts);
  addresses_come_back(texts);
  ids_come_back(bytes);
  a_failure_is_no_success(texts);
  return 0;
}
