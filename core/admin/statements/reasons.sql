-- reasons: why members have failed, are unknown or were skipped.
-- Params: 1 campaign text
-- Result: state, reason, members; the most first
-- Locks:  none. Twice: the same.
select state, coalesce(reason, '') as reason, count(*) as members
  from campaign_targets
 where campaign_id = $1::text and state in ('failed', 'unknown', 'skipped')
 group by 1, 2 order by 3 desc, 1, 2
