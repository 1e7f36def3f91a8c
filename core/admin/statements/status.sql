-- status: how a campaign stands, from its rows.
-- Params: 1 campaign text, 2 provider text
-- Result: now_us, template (null: not begun), paused, cancelled, planned, total, sent, failed, unknown, skipped, opted_out
--         (open, opted out), waiting (open, never tried or back unsent), retrying (open, in the retry pool), next_retry_us
--         (null: none), in_flight (members under live claims), ended_leases (claims to be taken over), sent_last_minute,
--         last_sent_us (null: nobody), interval_us (null: the provider is new; 0: no limit), paused_until_us (0: not),
--         window ("22:00-06:00 Asia/Tokyo"; null: none), not_after_us (null: none)
-- Locks:  none. Twice: the same. Reads all of the campaign's members once.
with member as (
  select count(*) as total,
         count(*) filter (where state = 'sent') as sent,
         count(*) filter (where state = 'failed') as failed,
         count(*) filter (where state = 'unknown') as unknown,
         count(*) filter (where state = 'skipped') as skipped,
         count(*) filter (where state = 'pending' and opted_out_at is not null) as opted_out,
         count(*) filter (where state = 'pending' and opted_out_at is null and not_before is null) as waiting,
         count(*) filter (where state = 'pending' and opted_out_at is null and not_before is not null) as retrying,
         min(not_before) filter (where state = 'pending' and opted_out_at is null) as next_retry,
         count(*) filter (where sent_at > campaign_clock() - interval '1 minute') as sent_last_minute,
         max(sent_at) as last_sent
    from campaign_targets where campaign_id = $1::text
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us, c.template,
       coalesce(c.paused, false) as paused, coalesce(c.cancelled, false) as cancelled,
       coalesce(c.plan_version, 0) > 0 as planned,
       m.total, m.sent, m.failed, m.unknown, m.skipped, m.opted_out, m.waiting, m.retrying,
       (extract(epoch from m.next_retry) * 1000000)::bigint as next_retry_us,
       (select count(*) from campaign_in_flight f where f.campaign_id = $1 and f.lease_until > campaign_clock()) as in_flight,
       (select count(*) from campaign_batches b
         where b.campaign_id = $1 and b.state = 'leased' and b.lease_until <= campaign_clock()) as ended_leases,
       m.sent_last_minute, (extract(epoch from m.last_sent) * 1000000)::bigint as last_sent_us,
       p.interval_us,
       coalesce((extract(epoch from case when p.paused_until > campaign_clock() then p.paused_until end) * 1000000)::bigint,
                0) as paused_until_us,
       to_char(c.window_open, 'HH24:MI-') || to_char(c.window_close, 'HH24:MI ') || c.window_zone as window_text,
       (extract(epoch from c.not_after) * 1000000)::bigint as not_after_us
  from member m
  left join campaigns c on c.campaign_id = $1
  left join provider_rate p on p.provider = $2::text
