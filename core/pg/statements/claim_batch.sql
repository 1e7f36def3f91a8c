-- claim_batch: takes the first batch that is open or whose lease has ended, and reads who is to be mailed in it.
-- Params: 1 campaign text, 2 token uuid (fresh), 3 lease_us bigint, 4 limit int (members), 5 from_priority int,
--         6 from_member bigint (nothing before these is looked at: claim_start.h says why; the head: the lowest there are)
-- Result: first one row of the claim: now_us, batch_id (null: nothing to claim), since_us (since when members may have
--         been sent; = now_us for a fresh claim), expired_claims, wake_us (nothing claimed: when the next lease ends;
--         null: no batch is undone), halted; its columns 9 and 10: priority, first_member; then one row a member, all of
--         these null: member_id, email, attempts
-- Locks:  one batch row, skipped if locked: a claim never waits.
-- Twice:  claims another batch; after a lost answer read back by token first (read_back_batch.sql).
with picked as materialized (
  select batch_id from campaign_batches
   where campaign_id = $1::text and state <> 'done' and (state = 'open' or lease_until <= campaign_clock())
     and not exists (select from campaigns where campaign_id = $1::text and paused)
     -- Hidden from the planner as the limit below.
     and (priority, first_member) >= ((select $5::int), (select $6::bigint))
   order by priority, first_member limit 1
     for update skip locked
), claimed as (
  update campaign_batches b
     set state = 'leased', token = $2::uuid, lease_until = campaign_clock() + $3::bigint * interval '1 microsecond',
         expired_claims = b.expired_claims + (b.state = 'leased')::int,
         maybe_sent_since = coalesce(b.maybe_sent_since, campaign_clock())
    from picked p
   where b.campaign_id = $1 and b.batch_id = p.batch_id
  returning b.batch_id, b.priority, b.first_member, b.last_member, b.expired_claims, b.maybe_sent_since
), head as materialized (
  -- What is the same for all members, worked out once.
  select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
         c.batch_id, c.priority, c.first_member, c.last_member,
         (extract(epoch from c.maybe_sent_since) * 1000000)::bigint as since_us, c.expired_claims,
         case when c.batch_id is null then
           (select (extract(epoch from min(coalesce(lease_until, campaign_clock()))) * 1000000)::bigint
              from campaign_batches where campaign_id = $1 and state <> 'done') end as wake_us,
         case when c.batch_id is null then
           coalesce((select paused from campaigns where campaign_id = $1), false) else false end as halted
    from (select) one left join claimed c on true
)
select now_us, batch_id, since_us, expired_claims, wake_us, halted,
       null::bigint as member_id, null::text as email, null::int as attempts, priority, first_member
  from head
union all
select null, null, null, null, null, null, t.member_id, t.email, t.attempts, null, null
  from head h
 cross join lateral (
    -- The limit is hidden from the planner: with it in sight, it plans each claim anew, for 1 ms.
    select member_id, email, attempts from campaign_targets
     where campaign_id = $1 and member_id between h.first_member and h.last_member and priority = h.priority
       and state = 'pending' and not_before is null and opted_out_at is null
     order by member_id limit (select $4::int)
  ) t
