// The parts of our statements whose absence is a planted bug: a predicate, a lock clause, an item
// of SET. The model does without one after ModelDatabase::drop().
//
// Not listed, because nobody could tell: claim_batch's state <> 'done' (a batch that is done has no
// lease and is not open), and state = 'pending' in claim_retries, read_back_retries and
// record_retries (a CHECK keeps ended rows out of the retry pool).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sim {

// X(statement, part). Where the meaning isn't plain from the statement:
//   claim_batch.order               priority in ORDER BY
//   claim_batch.first_since         coalesce: an earlier claim's time stays
//   claim_retries.not_before        due now; without it the whole pool is
//   record_batch.fenced             exists (select from fence) in sent and other
//   record_batch.lock               FOR UPDATE on the batch
//   record_batch.rest_*             who keeps the batch open
//   record_batch.doubted            who has opted out goes to the retry pool with the batch's doubt
//   record_*.doubt                  an outcome without doubt clears maybe_sent_since
//   record_retries.due_as_before    released unsent: not_before stays
//   plan.turn, sweep.turn           exists (select from turn)
//   skip_stale.opted_out            in batches: left as they are
//   skip_stale.doubt                unknown, not skipped
#define SIM_CONJUNCTS(X)               \
  X(claim_batch, skip_locked)          \
  X(claim_batch, lease_expired)        \
  X(claim_batch, paused)               \
  X(claim_batch, first_since)          \
  X(claim_batch, set_expired_claims)   \
  X(claim_batch, set_token)            \
  X(claim_batch, order)                \
  X(claim_batch, priority)             \
  X(claim_batch, pending)              \
  X(claim_batch, not_in_pool)          \
  X(claim_batch, opted_out)            \
  X(claim_batch, limit)                \
  X(claim_batch, wake_undone)          \
  X(claim_retries, skip_locked)        \
  X(claim_retries, not_before)         \
  X(claim_retries, opted_out)          \
  X(claim_retries, lease_expired)      \
  X(claim_retries, suspects)           \
  X(claim_retries, paused)             \
  X(claim_retries, limit)              \
  X(claim_retries, first_since)        \
  X(claim_retries, set_expired_claims) \
  X(read_back_batch, token)            \
  X(read_back_batch, leased)           \
  X(read_back_batch, priority)         \
  X(read_back_batch, pending)          \
  X(read_back_batch, not_in_pool)      \
  X(read_back_batch, opted_out)        \
  X(read_back_batch, limit)            \
  X(read_back_retries, token)          \
  X(read_back_retries, opted_out)      \
  X(recheck, opted_out)                \
  X(recheck, pending)                  \
  X(recheck, in_pool)                  \
  X(recheck, own_token)                \
  X(recheck, paused_until)             \
  X(record_batch, token)               \
  X(record_batch, leased)              \
  X(record_batch, lock)                \
  X(record_batch, fenced)              \
  X(record_batch, sent_pending)        \
  X(record_batch, sent_not_in_pool)    \
  X(record_batch, other_pending)       \
  X(record_batch, other_not_in_pool)   \
  X(record_batch, full_second)         \
  X(record_batch, doubt)               \
  X(record_batch, first_since)         \
  X(record_batch, rest_priority)       \
  X(record_batch, rest_pending)        \
  X(record_batch, rest_not_in_pool)    \
  X(record_batch, rest_opted_out)      \
  X(record_batch, rest_written)        \
  X(record_batch, ends)                \
  X(record_batch, keep_doubt)          \
  X(record_batch, doubted)             \
  X(record_retries, token)             \
  X(record_retries, due_as_before)     \
  X(record_retries, doubt)             \
  X(record_retries, clear_token)       \
  X(record_retries, stale)             \
  X(reserve_slots, paused_until)       \
  X(reserve_slots, not_in_the_past)    \
  X(pause, longest)                    \
  X(plan, version)                     \
  X(plan, all_done)                    \
  X(plan, skip_locked)                 \
  X(plan, turn)                        \
  X(plan, pending)                     \
  X(plan, not_in_pool)                 \
  X(plan, opted_out)                   \
  X(plan, set_version)                 \
  X(sweep, version)                    \
  X(sweep, all_done)                   \
  X(sweep, skip_locked)                \
  X(sweep, turn)                       \
  X(sweep, pending)                    \
  X(sweep, not_before)                 \
  X(sweep, opted_out)                  \
  X(sweep, few)                        \
  X(sweep, moved_pending)              \
  X(sweep, moved_not_in_pool)          \
  X(skip_stale, not_after)             \
  X(skip_stale, paused)                \
  X(skip_stale, skip_locked)           \
  X(skip_stale, lease_expired)         \
  X(skip_stale, retry_lease)           \
  X(skip_stale, clear_token)           \
  X(skip_stale, pending)               \
  X(skip_stale, not_in_pool)           \
  X(skip_stale, opted_out)             \
  X(skip_stale, doubt)

enum class Conjunct : std::uint8_t {
#define SIM_CONJUNCT(statement, part) statement##_##part,
  SIM_CONJUNCTS(SIM_CONJUNCT)
#undef SIM_CONJUNCT
};

// "claim_batch.skip_locked"
#define SIM_CONJUNCT(statement, part) std::string_view(#statement "." #part),
inline constexpr std::array conjunct_names = {SIM_CONJUNCTS(SIM_CONJUNCT)};
#undef SIM_CONJUNCT
constexpr std::size_t conjunct_count = conjunct_names.size();

inline std::string_view conjunct_name(Conjunct conjunct) {
  return conjunct_names[static_cast<std::size_t>(conjunct)];
}
std::optional<Conjunct> parse_conjunct(std::string_view name);

}  // namespace sim
