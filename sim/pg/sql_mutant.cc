#include "sim/pg/sql_mutant.h"

#include <array>

#include "core/assert.h"

namespace sim::pg {
namespace {

constexpr std::array all = {
    SqlMutant{Conjunct::claim_batch_skip_locked, "claim_batch", "for update skip locked",
              "for update"},
    SqlMutant{Conjunct::claim_batch_lease_expired, "claim_batch",
              "and (state = 'open' or lease_until <= campaign_clock())", ""},
    SqlMutant{Conjunct::claim_batch_paused, "claim_batch",
              "and not exists (select from campaigns where campaign_id = $1::text and paused)", ""},
    SqlMutant{Conjunct::claim_batch_first_since, "claim_batch",
              "coalesce(b.maybe_sent_since, campaign_clock())", "campaign_clock()"},
    SqlMutant{Conjunct::claim_batch_set_token, "claim_batch", "token = $2::uuid,",
              "token = case when $2::uuid is null then $2 else b.token end,"},
    SqlMutant{Conjunct::claim_batch_order, "claim_batch", "order by priority, first_member limit 1",
              "order by first_member limit 1"},
    SqlMutant{Conjunct::claim_batch_not_in_pool, "claim_batch",
              "and not_before is null and opted_out_at is null", "and opted_out_at is null"},
    SqlMutant{Conjunct::claim_batch_opted_out, "claim_batch",
              "and not_before is null and opted_out_at is null", "and not_before is null"},
    SqlMutant{Conjunct::claim_retries_skip_locked, "claim_retries", "for update skip locked",
              "for update"},
    SqlMutant{Conjunct::claim_retries_lease_expired, "claim_retries",
              "and (retry_lease_until is null or retry_lease_until <= campaign_clock())", ""},
    SqlMutant{Conjunct::recheck_opted_out, "recheck", "opted_out_at is not null or state", "state"},
    SqlMutant{Conjunct::recheck_pending, "recheck", "or state <> 'pending'", ""},
    SqlMutant{Conjunct::record_batch_token, "record_batch",
              "and token = $3::uuid and state = 'leased'",
              "and $3::uuid is not null and state = 'leased'"},
    SqlMutant{Conjunct::record_batch_leased, "record_batch",
              "and token = $3::uuid and state = 'leased'", "and token = $3::uuid"},
    SqlMutant{Conjunct::record_batch_lock, "record_batch", "     for update\n", "\n"},
    SqlMutant{Conjunct::record_batch_rest_opted_out, "record_batch",
              "and not_before is null and opted_out_at is null", "and not_before is null"},
    SqlMutant{Conjunct::record_batch_doubted, "record_batch", "where (select $13::bool) and exists",
              "where (select $13::bool) is null and exists"},
    SqlMutant{Conjunct::record_retries_clear_token, "record_retries",
              "maybe_sent_since end,\n         retry_token = null, retry_lease_until = null",
              "maybe_sent_since end,\n         retry_lease_until = null"},
    SqlMutant{Conjunct::pause_longest, "pause",
              "greatest(paused_until, campaign_clock() + $2::bigint * interval '1 microsecond')",
              "campaign_clock() + $2::bigint * interval '1 microsecond'"},
    SqlMutant{Conjunct::sweep_skip_locked, "sweep", "for update skip locked", "for update"},
    SqlMutant{Conjunct::sweep_few, "sweep",
              "from loose where (select count(*) from loose) < $3::int",
              "from loose where $3::int is not null"},
    SqlMutant{Conjunct::skip_stale_lease_expired, "skip_stale",
              "and (state = 'open' or lease_until <= campaign_clock())", ""},
    SqlMutant{Conjunct::skip_stale_paused, "skip_stale", "campaign_clock() and not paused",
              "campaign_clock()"},
    SqlMutant{Conjunct::skip_stale_retry_lease, "skip_stale",
              "and (retry_lease_until is null or retry_lease_until <= campaign_clock())", ""},
    SqlMutant{Conjunct::skip_stale_clear_token, "skip_stale",
              "token = case when b.state = 'open' then b.token end, ", ""},
    SqlMutant{Conjunct::skip_stale_doubt, "skip_stale",
              "coalesce(t.maybe_sent_since, p.maybe_sent_since) is null then 'skipped' else",
              "true then 'skipped' else"},
};

}  // namespace

std::span<const SqlMutant> sql_mutants() {
  return all;
}

void MutantStatement::apply(core::pg::Call& call) {
  if (call.statement.name != mutant_.statement) return;
  if (sql_.empty()) {
    sql_ = call.statement.sql;
    const std::size_t at = sql_.find(mutant_.text);
    ASSERT(at != std::string::npos && sql_.find(mutant_.text, at + 1) == std::string::npos);
    sql_.replace(at, mutant_.text.size(), mutant_.replacement);
    name_ = std::string(mutant_.statement) + " without " + std::string(conjunct_name(mutant_.part));
  }
  call.statement = {name_, sql_};
}

}  // namespace sim::pg
