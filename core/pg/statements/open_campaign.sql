-- open_campaign: makes the campaign's row and the provider's, if they are missing, and says what they hold.
-- Params: 1 campaign text, 2 template text, 3 provider text, 4 interval_us bigint (of the limit; 0: none)
-- Result: now_us, template, plan_version, interval_us, members (0 or 1: is there anybody?)
-- Locks:  none that lasts. Twice: changes nothing the second time.
with c as (
  insert into campaigns (campaign_id, template) values ($1::text, $2::text) on conflict do nothing
  returning template, plan_version
), p as (
  insert into provider_rate (provider, interval_us) values ($3::text, $4::bigint) on conflict do nothing
  returning interval_us
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       coalesce((select template from c), (select template from campaigns where campaign_id = $1)) as template,
       coalesce((select plan_version from c),
                (select plan_version from campaigns where campaign_id = $1)) as plan_version,
       coalesce((select interval_us from p),
                (select interval_us from provider_rate where provider = $3)) as interval_us,
       (select count(*) from (select from campaign_targets where campaign_id = $1 limit 1) one) as members
