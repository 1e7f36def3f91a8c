-- open_campaign: makes the campaign's row and the provider's, if they are missing.
-- Params: 1 campaign text, 2 template text, 3 provider text, 4 interval_us bigint (of the limit; 0: none),
--         5 window text ("22:00-06:00 Asia/Tokyo"; '': none), 6 not_after_us text ('': none)
-- Result: made (how many of the two were missing)
-- Locks:  none that lasts. Twice: changes nothing the second time.
with c as (
  insert into campaigns (campaign_id, template, window_open, window_close, window_zone, not_after)
  values ($1::text, $2::text, nullif(substr($5::text, 1, 5), '')::time, nullif(substr($5, 7, 5), '')::time,
          nullif(substr($5, 13), ''),
          timestamptz 'epoch' + nullif($6::text, '')::bigint * interval '1 microsecond')
      on conflict do nothing returning 1
), p as (
  insert into provider_rate (provider, interval_us) values ($3::text, $4::bigint) on conflict do nothing returning 1
)
select (select count(*) from c) + (select count(*) from p) as made
