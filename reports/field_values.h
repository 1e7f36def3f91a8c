// The value of each field of a sender's result, as every report shows it: the one place that knows
// units and decimals. What a field means is said at SenderResult.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/result.h"
#include "scenarios/fields.h"

namespace reports {

// count / unit, shown with `decimals`. 1,234,567 us with unit 1,000,000 and 3 decimals is "1.235".
struct Amount {
  std::int64_t count = 0;
  std::int64_t unit = 1;
  int decimals = 0;
};

// Returns: nothing when it was not measured, and for exit_codes, which is no amount.
// last_mail_s and days are known of a CronJob's several starts only.
// peak_rss_spread_bytes is known at the last entry of a sender that ran with several audience
// sizes.
std::optional<Amount> amount_of(const RunResult& run, const SenderResult& sender,
                                scenarios::Field field);

// Known in some runs only: left out where it is not known, instead of said to be nothing.
bool is_of_some_runs_only(scenarios::Field field);

// "1234.57": rounded half away from zero. With `grouped`: "1,234.57".
std::string amount_text(const Amount& amount, bool grouped = false);

// "137 0"
std::string exit_codes_text(const std::vector<int>& codes);

}  // namespace reports
