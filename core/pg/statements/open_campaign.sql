-- open_campaign: makes the campaign's row and the provider's, if they are missing.
-- Params: 1 campaign text, 2 template text, 3 provider text, 4 interval_us bigint (of the limit; 0: none)
-- Result: made (how many of the two were missing)
-- Locks:  none that lasts. Twice: changes nothing the second time.
with c as (
  insert into campaigns (campaign_id, template) values ($1::text, $2::text) on conflict do nothing returning 1
), p as (
  insert into provider_rate (provider, interval_us) values ($3::text, $4::bigint) on conflict do nothing returning 1
)
select (select count(*) from c) + (select count(*) from p) as made
