-- unknown_members: whose delivery nobody knows, with the evidence, oldest doubt first.
-- Params: 1 campaign text, 2 limit bigint
-- Result: now_us, in_all (unknown members of the campaign), member_id, email, since_us (may have been sent since), attempts, reason, resolved (how often before)
-- Locks:  none. Twice: the same.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us, count(*) over () as in_all,
       t.member_id, t.email, (extract(epoch from t.maybe_sent_since) * 1000000)::bigint as since_us, t.attempts,
       coalesce(t.reason, '') as reason,
       (select count(*) from campaign_resolutions r
         where r.campaign_id = t.campaign_id and r.member_id = t.member_id) as resolved
  from campaign_targets t
 where t.campaign_id = $1::text and t.state = 'unknown'
 order by t.maybe_sent_since, t.member_id limit $2::bigint
