-- campaign_look: what is there of a campaign and its provider, before anything is written.
-- Params: 1 campaign text, 2 provider text
-- Result: now_us, members (0 or 1: is there anybody?), template (null: not begun), plan_version, interval_us (null: the
--         provider is new), cancelled, window ("22:00-06:00 Asia/Tokyo"; null: none), not_after_us (null: none),
--         hours_version
-- Locks:  none. Twice: the same.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       (select count(*) from (select from campaign_targets where campaign_id = $1::text limit 1) one) as members,
       c.template, coalesce(c.plan_version, 0) as plan_version, p.interval_us,
       coalesce(c.cancelled, false) as cancelled,
       to_char(c.window_open, 'HH24:MI-') || to_char(c.window_close, 'HH24:MI ') || c.window_zone as window_text,
       (extract(epoch from c.not_after) * 1000000)::bigint as not_after_us,
       coalesce(c.hours_version, 0) as hours_version
  from (select) one
  left join campaigns c on c.campaign_id = $1
  left join provider_rate p on p.provider = $2::text
