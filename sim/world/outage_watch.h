// Which answers that one process hears are a provider's outage and not a member's trouble: from
// these on an attempt that is counted is wrong. Told from the promise (core/weather.h, and the
// decision on probes in ARCHITECTURE.md), by less than the worker may use: it says so of a part of
// those answers only.
//
// Ownership: a value of a pod.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/commands.h"
#include "core/digest.h"

namespace sim {

class OutageWatch {
 public:
  // known: the member had failed before, while others were sent.
  void hear(core::MemberId member, core::Token claim, const core::SendAnswer& answer, bool known);
  // The answer that was heard last under this claim is an outage's, and nothing better was heard
  // since.
  bool is_outage(core::MemberId member, core::Token claim) const;
  void describe(core::Digest& digest) const;

 private:
  bool declared() const;

  std::int64_t heard_ = 0;
  // Bad answers about known ones. After a few probes about them, all may count.
  std::int64_t known_ = 0;
  std::vector<core::MemberId> bad_in_a_row_;  // the last answers, since one that was not bad
  std::vector<std::pair<core::MemberId, core::Token>> spared_;
};

}  // namespace sim
