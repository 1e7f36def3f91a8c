// What speaks for and against a sender once the run is counted. Pure.
#pragma once

#include "harness/counting/count.h"
#include "reports/result.h"

namespace harness {

// The table's word against the provider's (only a table that keeps states has one), and requests
// for strangers.
// work_is_left: no further start was allowed.
void judge_tally(const Tally& tally, bool table_keeps_states, bool work_is_left,
                 reports::SenderResult& result);

// Notes that name the first members who were mailed twice, lost, or mailed after their opt-out, and
// requests that the grace left unjudged.
void say_who(const Tally& tally, const Audience& audience, reports::SenderResult& result);

}  // namespace harness
