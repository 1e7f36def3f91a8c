-- read_back_batch: what a claim whose answer was lost took, if it took anything.
-- Params: 1 campaign text, 2 token uuid, 3 limit int
-- Result: as claim_batch (wake_us null).
-- Locks:  none. Twice: the same.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       c.batch_id, (extract(epoch from c.maybe_sent_since) * 1000000)::bigint as since_us, c.expired_claims,
       null::bigint as wake_us, false as halted, t.member_id, t.email, t.attempts
  from (select) one
  left join campaign_batches c on c.campaign_id = $1::text and c.token = $2::uuid and c.state = 'leased'
  left join lateral (
    select member_id, email, attempts from campaign_targets
     where campaign_id = $1 and member_id between c.first_member and c.last_member and priority = c.priority
       and state = 'pending' and not_before is null and opted_out_at is null
     order by member_id limit $3::int
  ) t on true
