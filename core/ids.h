// Identities. Each is a type of its own, so that a batch number can't be passed where a member is
// meant.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace core {

enum class MemberId : std::int64_t {};  // the whole range of bigint is used, beyond 2^53 too
enum class BatchId : std::int64_t {};

constexpr std::int64_t number(MemberId id) {
  return static_cast<std::int64_t>(id);
}
constexpr std::int64_t number(BatchId id) {
  return static_cast<std::int64_t>(id);
}

// Fencing token of one claim: 128 random bits, fresh for each claim, so that a worker can't take
// its own older claim, or that of a pod under the same host name, for a live one.
struct Token {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Token&) const = default;
};

// As a UUID in PostgreSQL's notation, and back (false: not a UUID).
std::string to_string(Token token);
bool parse_token(std::string_view text, Token& token);

// `<campaign>:<member>`: the same on every attempt, for ever.
std::string idempotency_key(std::string_view campaign, MemberId member);

}  // namespace core
