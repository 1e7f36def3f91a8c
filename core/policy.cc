#include "core/policy.h"

#include <algorithm>

namespace core {
namespace {

void require(std::vector<std::string>& problems, bool holds, std::string message) {
  if (!holds) problems.push_back(std::move(message));
}

std::string between(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
  return std::string(name) + "=" + std::to_string(value) + ": must be from " +
         std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

std::string to_text(Duration duration) {
  const std::int64_t us = duration.count();
  if (us % 1'000'000 == 0) return std::to_string(us / 1'000'000) + " s";
  if (us % 1'000 == 0) return std::to_string(us / 1'000) + " ms";
  return std::to_string(us) + " us";
}

std::int64_t Policy::record_at() const {
  return std::max<std::int64_t>({1, batch / 4, (batch - lanes) * 3 / 4});
}

Duration Policy::lease_needed() const {
  return batch_budget + worst_send() + statement_timeout + least_margin;
}

std::vector<std::string> Policy::problems() const {
  std::vector<std::string> found;
  require(found, batch >= 1 && batch <= batch_most, between("BATCH", batch, 1, batch_most));
  require(found, lanes >= 1 && lanes <= lanes_most, between("LANES", lanes, 1, lanes_most));
  require(found, rate_per_s >= 0 && rate_per_s <= rate_per_s_most,
          between("RATE_PER_S", rate_per_s, 0, rate_per_s_most));
  require(found, attempts_max >= 1 && attempts_max <= 20,
          between("MAX_ATTEMPTS", attempts_max, 1, 20));
  require(found, failed_permille_max >= 0 && failed_permille_max <= 1000,
          between("MAX_FAILED_PERMILLE", failed_permille_max, 0, 1000));
  require(
      found,
      batch_budget > 0s && connect_timeout > 0s && read_timeout > 0s && statement_timeout > 0s,
      "BATCH_BUDGET_S, CONNECT_TIMEOUT_S, READ_TIMEOUT_S and STATEMENT_TIMEOUT_S must be above 0");
  require(found, deadline > 0s,
          "DEADLINE_S=" + std::to_string(deadline / 1s) + ": must be above 0");
  require(found, lease >= lease_needed(),
          "LEASE_S: a lease of " + to_text(lease) + " is shorter than its work: batch budget " +
              to_text(batch_budget) + " + worst send " + to_text(worst_send()) + " (connect " +
              to_text(connect_timeout) + " + read " + to_text(read_timeout) + ") + record " +
              to_text(statement_timeout) + " + margin " + to_text(least_margin) + " = " +
              to_text(lease_needed()) +
              "; raise LEASE_S to at least that, or lower BATCH_BUDGET_S");
  require(found, dedupe_window > dedupe_margin + lease,
          "DEDUPE_WINDOW_S: a window of " + to_text(dedupe_window) +
              " must be longer than its margin " + to_text(dedupe_margin) + " + lease " +
              to_text(lease) + " = " + to_text(dedupe_margin + lease));
  return found;
}

}  // namespace core
