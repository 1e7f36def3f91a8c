// Holds a run against what its scenario expects.
#pragma once

#include <string_view>
#include <vector>

#include "reports/result.h"
#include "scenarios/scenario.h"

namespace reports {

std::string_view verdict_name(Verdict verdict);
Verdict worst(Verdict a, Verdict b);

// The worst of the checks of `sender`, which is one of `run.senders`. Inconclusive when nothing of
// that sender was checked; an entry whose only checks are made at another of its audience sizes
// passes.
Verdict verdict_of(const RunResult& run, const SenderResult& sender);

// Returns: the sender's own expectations; without any, those of [expect.any]; without these, what
// every sender owes its members: duplicates, lost and late_opt_outs are 0.
std::vector<scenarios::Expectation> expectations_for(const scenarios::Scenario& scenario,
                                                     std::string_view sender);

// Appends a check for each expectation to each sender's checks and sets the run's verdict to the
// worst of all, also of the checks that were there before (events that never fired, say). Numbers
// of the file are claims about the scenario as it is written. When --set has changed anything but
// an expectation and such a number isn't met, that is inconclusive, except for the three that every
// sender owes. With another seed than the file's, where the provider draws by it, an exact number
// other than 0 that isn't met is not judged but noted; bounds, zeros and exit codes are claims for
// every seed. Nothing is held against a sender that ended_early. Not idempotent: call it once, when
// all senders have run.
void judge(RunResult& run, const scenarios::Scenario& scenario);

}  // namespace reports
