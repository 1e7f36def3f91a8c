// From what happened (the provider's ledger, the members in the database, the moments of the
// opt-outs) to the numbers of a result. Pure: no clock, no file, no database. What a sender says of
// itself is not looked at.
//
// Words, as the whole project uses them:
//   failed   never delivered, and refused for the member's own reason (most 4xx, core/answer.h) or
//            given up by a sender whose table says so, after tries in vain;
//   lost     eligible, nothing delivered, and neither failed, nor unknown, nor opted out;
//   late     a request that arrived more than 100 ms after its member's opt-out had been committed,
//   whatever
//            its answer; within 100 ms it is in grace. Requests are counted, not members.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.h"
#include "harness/counting/audience.h"
#include "harness/counting/ledger_csv.h"
#include "reports/result.h"

namespace harness {

inline constexpr core::Duration opt_out_grace{100'000};

// What became of one member at the provider.
struct Fate {
  std::uint32_t deliveries = 0;
  bool refused = false;                      // for the member's own reason
  bool turned_away = false;                  // for any other: 503, 429
  std::uint32_t requests_after_opt_out = 0;  // late ones
};

class Tally {
 public:
  // Keeps a reference: the audience must outlive the tally.
  explicit Tally(const Audience& audience);
  void add(const LedgerRow& row);

  // Writes accepted, duplicates, extra_deliveries, lost, failed, unknown, opted_out, late_opt_outs,
  // opt_outs_in_grace, repeats, requests, max_in_any_second, steady_per_s and members; leaves the
  // rest alone.
  void write(reports::SenderResult& result);

  // Nothing delivered, and refused by the provider or given up in the table.
  bool has_failed(std::size_t position) const;
  // Eligible, nothing delivered, and no reason known. By position in audience.members().
  bool is_lost(std::size_t position) const;

  const std::vector<Fate>& fates() const { return fates_; }  // by position in audience.members()
  std::int64_t strangers() const { return strangers_; }      // requests for nobody in the audience
  // Members whose table row says failed though no try was in vain, or who were refused and whose
  // row doesn't say so. Only a table that keeps states can disagree. work_is_left: the sender was
  // not given the time to record every answer, so only rows that claim too much are counted.
  std::int64_t failed_disagree(bool work_is_left) const;

 private:
  const Audience& audience_;
  std::vector<Fate> fates_;
  std::vector<std::int64_t> arrivals_us_;
  std::int64_t requests_ = 0;
  std::int64_t repeats_ = 0;
  std::int64_t late_ = 0;
  std::int64_t in_grace_ = 0;
  std::int64_t strangers_ = 0;
};

// The most arrivals in any (t - 1 s, t]. Sorts its argument.
std::int64_t most_in_any_second(std::vector<std::int64_t>& arrivals_us);

// Requests a second in the middle three fifths of the requests: without the start, and without the
// retries at the end. Requires: sorted. 0 for fewer than five, and when they took less than a tenth
// of a second.
std::int64_t steady_per_second(const std::vector<std::int64_t>& sorted_us);

}  // namespace harness
