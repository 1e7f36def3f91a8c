-- new_campaign: members 1 .. n, nothing planned, and a provider of its own.
-- Params: 1 campaign text, also the provider's name, 2 priorities int[], 3 interval_us bigint, 4 not_after_us text ('': none)
-- Locks:  none that lasts. Twice: an error.
with campaign as (
  insert into campaigns (campaign_id, template, not_after)
  values ($1::text, 'stepped', timestamptz 'epoch' + nullif($4::text, '')::bigint * interval '1 microsecond')
), provider as (
  insert into provider_rate (provider, interval_us) values ($1::text, $3::bigint)
)
insert into campaign_targets (campaign_id, member_id, email, priority)
select $1::text, member_id, 'm' || member_id || '@example.org', priority
  from unnest($2::int[]) with ordinality as audience (priority, member_id)
