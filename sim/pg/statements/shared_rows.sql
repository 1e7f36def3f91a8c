-- shared_rows: the campaign's row and its provider's.
-- Params: 1 campaign text, also the provider's name. Result: as the columns say; null for -infinity. Locks: none.
-- Twice: the same.
select c.plan_version, c.paused, p.interval_us,
       case when isfinite(p.tat) then (extract(epoch from p.tat) * 1000000)::bigint end as tat_us,
       case when isfinite(p.paused_until) then (extract(epoch from p.paused_until) * 1000000)::bigint end as paused_us
  from campaigns c
  join provider_rate p on p.provider = c.campaign_id
 where c.campaign_id = $1::text
