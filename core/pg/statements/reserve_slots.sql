-- reserve_slots: the next free sending times of the provider, evenly spaced (GCRA without a burst).
-- Params: 1 provider text, 2 slots int, 3 pace_permille int (of the limit)
-- Result: now_us, first_us (0: none, paused), interval_us, paused_until_us (0: not paused)
-- Locks:  the provider's row, waited for, for this statement only: never put it inside a longer transaction.
-- Twice:  reserves more; slots whose answer was lost are forfeited.
with taken as (
  update provider_rate
     set tat = greatest(tat, campaign_clock())
               + $2::int * ((interval_us * 1000 + $3::int - 1) / $3::int) * interval '1 microsecond'
   where provider = $1::text and paused_until <= campaign_clock()
  returning tat, (interval_us * 1000 + $3::int - 1) / $3::int as spaced_us
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       coalesce((select (extract(epoch from tat) * 1000000)::bigint - $2::int * spaced_us from taken), 0) as first_us,
       coalesce((select spaced_us from taken), 0) as interval_us,
       coalesce((select (extract(epoch from paused_until) * 1000000)::bigint from provider_rate
                  where provider = $1 and paused_until > campaign_clock()), 0) as paused_until_us
