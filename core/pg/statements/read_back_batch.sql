-- read_back_batch: what a claim whose answer was lost took, if it took anything.
-- Params: 1 campaign text, 2 token uuid, 3 limit int
-- Result: as claim_batch (wake_us null).
-- Locks:  none. Twice: the same.
with head as materialized (
  select c.batch_id, c.priority, c.first_member, c.last_member, c.maybe_sent_since, c.expired_claims
    from (select) one
    left join campaign_batches c on c.campaign_id = $1::text and c.token = $2::uuid and c.state = 'leased'
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us, batch_id,
       (extract(epoch from maybe_sent_since) * 1000000)::bigint as since_us, expired_claims,
       null::bigint as wake_us, false as halted, null::bigint as member_id, null::text as email, null::int as attempts
  from head
union all
select null, null, null, null, null, null, t.member_id, t.email, t.attempts
  from head h
 cross join lateral (
    select member_id, email, attempts from campaign_targets
     where campaign_id = $1 and member_id between h.first_member and h.last_member and priority = h.priority
       and state = 'pending' and not_before is null and opted_out_at is null
     order by member_id limit $3::int
  ) t
