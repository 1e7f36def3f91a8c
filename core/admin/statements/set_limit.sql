-- set_limit: another limit for all workers of a provider, from the next slot that is reserved on.
-- Params: 1 provider text, 2 interval_us bigint (0: none)
-- Result: was_us; no row: the provider is new
-- Locks:  the provider's row. Twice: the same.
-- A slot reserved ahead under a slow limit must not hold back a faster one: what lies further ahead than one interval goes.
with before as (
  select provider, interval_us from provider_rate where provider = $1::text for update
), changed as (
  update provider_rate p
     set interval_us = $2::bigint,
         tat = least(p.tat, campaign_clock() + $2::bigint * interval '1 microsecond')
    from before b where p.provider = b.provider
)
select interval_us as was_us from before
