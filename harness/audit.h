// Who got how many mails, told from a campaign's table and the provider's ledger, whoever sent
// them.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "harness/run.h"
#include "reports/result.h"

namespace harness {

struct AuditOptions {
  std::string dsn;
  std::string campaign;
  std::filesystem::path ledger;
};

struct AuditResult {
  reports::Verdict verdict = reports::Verdict::passed;
};

std::expected<AuditResult, RunError> audit(const AuditOptions& options);
reports::Verdict verdict_of(const AuditResult& result);
std::string to_table(const AuditResult& result);
std::string to_json(const AuditResult& result);

}  // namespace harness
