-- totals: how the campaign stands, counted from the members themselves.
-- Params: 1 campaign text
-- Result: now_us, total, sent, failed, unknown, skipped, opted_out (open, opted out), remaining (open, eligible),
--         stale (of those skipped: for want of time)
-- Locks:  none. Twice: the same.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       count(*) as total,
       count(*) filter (where state = 'sent') as sent,
       count(*) filter (where state = 'failed') as failed,
       count(*) filter (where state = 'unknown') as unknown,
       count(*) filter (where state = 'skipped') as skipped,
       count(*) filter (where state = 'pending' and opted_out_at is not null) as opted_out,
       count(*) filter (where state = 'pending' and opted_out_at is null) as remaining,
       count(*) filter (where state = 'skipped' and reason = 'stale') as stale
  from campaign_targets
 where campaign_id = $1::text
