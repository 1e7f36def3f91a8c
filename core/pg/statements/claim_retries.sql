-- claim_retries: takes members of the retry pool that are due, earliest first, row by row.
-- Params: 1 campaign text, 2 token uuid (fresh), 3 lease_us bigint, 4 limit int, 5 suspects bool (true: those whose
--         claims ended by expiry at least suspect_after times; they are claimed one at a time), 6 suspect_after int,
--         7 from_us bigint (nobody due before is looked at: claim_start.h says why; 0: everybody)
-- Result: one row a member, or one row with member_id null: now_us, wake_us (nothing claimed: when the next is due or the
--         next lease ends, of either kind; null: the pool is empty), halted, member_id, email, attempts, expired_claims,
--         since_us (since when it may have been sent; = now_us for one that was not), due_us
-- Locks:  the claimed rows, skipped if locked: a claim never waits.
-- Twice:  claims others; after a lost answer read back by token first (read_back_retries.sql).
with picked as materialized (
  select member_id from campaign_targets
   where campaign_id = $1::text and not_before <= campaign_clock() and state = 'pending' and opted_out_at is null
     and (retry_lease_until is null or retry_lease_until <= campaign_clock())
     and (expired_claims >= $6::int) = $5::bool
     and not exists (select from campaigns where campaign_id = $1::text and paused)
     and not_before >= (select case $7::bigint when 0 then timestamptz '-infinity'
                               else timestamptz 'epoch' + $7::bigint * interval '1 microsecond' end)
   order by not_before limit $4::int
     for update skip locked
), claimed as (
  update campaign_targets t
     set retry_token = $2::uuid, retry_lease_until = campaign_clock() + $3::bigint * interval '1 microsecond',
         expired_claims = t.expired_claims + (t.retry_lease_until is not null)::int,
         maybe_sent_since = coalesce(t.maybe_sent_since, campaign_clock())
   where t.campaign_id = $1 and t.member_id = any (array(select member_id from picked))
  returning t.member_id, t.email, t.attempts, t.expired_claims, t.maybe_sent_since, t.not_before
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       case when c.member_id is null then
         (select (extract(epoch from least(
             (select not_before from campaign_targets
               where campaign_id = $1 and not_before > campaign_clock() and state = 'pending' and opted_out_at is null
               order by not_before limit 1),
             (select min(coalesce(retry_lease_until, not_before)) from campaign_targets
               where campaign_id = $1 and not_before <= campaign_clock() and state = 'pending'
                 and opted_out_at is null))) * 1000000)::bigint) end as wake_us,
       case when c.member_id is null then
         coalesce((select paused from campaigns where campaign_id = $1), false) else false end as halted,
       c.member_id, c.email, c.attempts, c.expired_claims,
       (extract(epoch from c.maybe_sent_since) * 1000000)::bigint as since_us,
       (extract(epoch from greatest(c.not_before, timestamptz 'epoch')) * 1000000)::bigint as due_us
  from (select) one left join claimed c on true
 order by c.member_id
