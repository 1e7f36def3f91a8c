// Who got how many mails, told from a campaign's table and the provider's ledger, whoever sent
// them.
//
// The table: plain, with row claims, or ours. The ledger: fake_mail's CSV, or a provider's own
// (ledger_csv.h). Errors: one line; nothing is written anywhere.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/counting/count.h"
#include "harness/counting/member_list.h"
#include "harness/run.h"
#include "reports/result.h"

namespace harness {

struct AuditOptions {
  std::string dsn;
  std::string campaign;
  std::filesystem::path ledger;
};

struct AuditResult {
  std::string campaign;
  std::int64_t members = 0;
  std::int64_t mailed = 0;  // members with at least one delivery
  std::int64_t mails = 0;   // deliveries
  std::int64_t opted_out = 0;
  MemberList more_than_one;
  MemberList none;                 // lost, as count.h says
  MemberList after_opt_out;        // a request arrived more than 100 ms after the opt-out
  std::int64_t refused = 0;        // failed, as count.h says
  std::int64_t unknown = 0;        // the table says that nobody knows
  std::int64_t strangers = 0;      // requests for nobody in the campaign
  bool opt_outs_are_dated = true;  // false: the ledger has no times, so after_opt_out is not judged
};

std::expected<AuditResult, RunError> audit(const AuditOptions& options);

// The same from values at hand.
AuditResult audit_of(const std::string& campaign, const Audience& audience, const Tally& tally,
                     bool ledger_has_times);

// failed: somebody got more than one mail, none, or one after an opt-out. inconclusive: opt-outs
// that the ledger can't be held against.
reports::Verdict verdict_of(const AuditResult& result);
std::string to_table(const AuditResult& result);
std::string to_json(const AuditResult& result);

}  // namespace harness
