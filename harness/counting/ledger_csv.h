// The provider's ledger as CSV, one line a request, read as a stream: fake_mail's own
// (arrival_us,owner,recipient,key,status,outcome), or a smaller one from a real provider with
// `recipient` and perhaps `arrival_us`. Columns are found by the names in the first line; others
// are passed over. Fields may be quoted as in RFC 4180, without line breaks inside.
//
// Without `status` and `outcome` every line is a delivery answered 200. A provider's own `key` is
// not looked at: whether a second request under it was a repeat, only `outcome` says.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "fake_mail/answer.h"

namespace harness {

// throttled: 429 by the rate limit; unavailable: 503 by an outage.
using fake_mail::Outcome;

struct LedgerRow {
  std::optional<std::int64_t> arrival_us = {};  // system clock, since 1970
  std::string_view recipient = {};              // a member id, else an address
  int status = 200;                             // 0: no answer was given
  Outcome outcome = Outcome::delivered;
};

using OnRow = std::function<void(const LedgerRow&)>;

// The views in a row are valid during the call only. Errors: "file:line: what is wrong and what
// would be right"; the rows before it have been handed over.
std::expected<void, std::string> read_ledger(const std::filesystem::path& file,
                                             const OnRow& on_row);
std::expected<void, std::string> read_ledger(std::istream& input, const std::string& name,
                                             const OnRow& on_row);

}  // namespace harness
