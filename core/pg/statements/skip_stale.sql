-- skip_stale: once the campaign's last date is over, takes some of those whom nobody has claimed out of it: the members
-- of whole batches, and of the retry pool. Who may have been sent by an earlier claim becomes unknown, not skipped.
-- Params: 1 campaign text, 2 batches int (at most), 3 retries int (at most)
-- Result: now_us, taken (batches and retries), members (skipped or unknown now), wake_us (nothing taken: when the next
--         lease ends; null: no batch is undone and the pool is empty), halted
-- Locks:  batches, skipped if locked, then their members; retries, skipped if locked: a live claim is never touched.
-- Twice:  takes others. Where a lease had ended the token goes with it: a late record is stale, not "already".
with over as materialized (
  select campaign_id from campaigns where campaign_id = $1::text and not_after <= campaign_clock() and not paused
), picked as materialized (
  select batch_id, priority, first_member, last_member, maybe_sent_since from campaign_batches
   where campaign_id = $1 and state <> 'done' and (state = 'open' or lease_until <= campaign_clock())
     and exists (select from over)
   order by priority, first_member limit (select $2::int)
     for update skip locked
), ended as (
  update campaign_batches b
     set state = 'done', lease_until = null, token = case when b.state = 'open' then b.token end, maybe_sent_since = null
    from picked p
   where b.campaign_id = $1 and b.batch_id = p.batch_id
), of_batches as (
  -- Who has opted out keeps his doubt in the retry pool, as in record_batch.
  update campaign_targets t
     set state = case when t.opted_out_at is not null then 'pending'
                      when coalesce(t.maybe_sent_since, p.maybe_sent_since) is null then 'skipped' else 'unknown' end,
         reason = case when t.opted_out_at is null then 'stale' else t.reason end,
         not_before = case when t.opted_out_at is not null then campaign_clock() end,
         maybe_sent_since = coalesce(t.maybe_sent_since, p.maybe_sent_since)
    from picked p
   where t.campaign_id = $1 and t.priority = p.priority and t.member_id between p.first_member and p.last_member
     and t.state = 'pending' and t.not_before is null
     and (t.opted_out_at is null or p.maybe_sent_since is not null)
  returning t.state
), retries as materialized (
  select member_id from campaign_targets
   where campaign_id = $1 and not_before is not null and state = 'pending' and opted_out_at is null
     and (retry_lease_until is null or retry_lease_until <= campaign_clock())
     and exists (select from over)
   order by not_before limit (select $3::int)
     for update skip locked
), of_pool as (
  update campaign_targets t
     set state = case when t.maybe_sent_since is null then 'skipped' else 'unknown' end, reason = 'stale',
         not_before = null, retry_token = null, retry_lease_until = null
   where t.campaign_id = $1 and t.member_id = any (array(select member_id from retries))
  returning 1
), taken as (
  select (select count(*) from picked) + (select count(*) from retries) as parts
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       parts as taken,
       (select count(*) from of_batches where state <> 'pending') + (select count(*) from of_pool) as members,
       case when parts = 0 then
         (select (extract(epoch from least(
             (select min(coalesce(lease_until, campaign_clock())) from campaign_batches
               where campaign_id = $1 and state <> 'done'),
             (select min(coalesce(retry_lease_until, campaign_clock())) from campaign_targets
               where campaign_id = $1 and not_before is not null and state = 'pending'
                 and opted_out_at is null))) * 1000000)::bigint) end as wake_us,
       coalesce((select paused from campaigns where campaign_id = $1), false) as halted
  from taken
