// When to try a member again.
#pragma once

#include <cstdint>

#include "core/ids.h"
#include "core/policy.h"
#include "core/time.h"

namespace core {

// Delay after the `attempt`th answer (1, 2, ...): backoff doubling up to backoff_max, plus up to
// half of it as jitter, so that an outage's members don't come back in one wave. Jitter is a hash
// of (seed, member, attempt): the same member waits equally long on every run of a seed, whatever
// else happens. Never below backoff.
Duration backoff(const Policy& policy, std::uint64_t seed, MemberId member, int attempt);

}  // namespace core
