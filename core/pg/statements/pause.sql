-- pause: nobody sends to this provider before the given time has passed; a longer pause stays.
-- Params: 1 provider text, 2 pause_us bigint
-- Result: now_us, paused_until_us
-- Locks:  the provider's row. Twice: the pause starts anew, it does not add up.
with paused as (
  update provider_rate
     set paused_until = greatest(paused_until, campaign_clock() + $2::bigint * interval '1 microsecond')
   where provider = $1::text
  returning paused_until
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       coalesce((select (extract(epoch from paused_until) * 1000000)::bigint from paused), 0) as paused_until_us
