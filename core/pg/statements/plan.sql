-- plan: cuts everybody who is open and in no retry pool into batches, in order of (priority, member_id).
-- Plans only while no batch of the campaign is open, so ranges never overlap; who comes later waits for the next.
-- Params: 1 campaign text, 2 plan_version int (as last seen), 3 batch int
-- Result: now_us, mine (false: somebody else plans or has planned), plan_version, batches
-- Locks:  the campaign's row, skipped if locked. An advisory lock would not do: this statement's snapshot would be
--         older than the lock, and a planning committed in between unseen. The version is re-read from the locked
--         row itself: unchanged since we saw it means that our snapshot has every planning.
-- Twice:  the second run finds open batches and plans nothing.
with turn as materialized (
  select campaign_id from campaigns
   where campaign_id = $1::text and plan_version = $2::int
     and not exists (select from campaign_batches where campaign_id = $1::text and state <> 'done')
     for update skip locked
), open_members as (
  select priority, member_id, (row_number() over (partition by priority order by member_id) - 1) / $3::int as part
    from campaign_targets
   where campaign_id = $1 and state = 'pending' and not_before is null and opted_out_at is null
     and exists (select from turn)
), ranges as (
  select priority, min(member_id) as first_member, max(member_id) as last_member
    from open_members group by priority, part
), planned as (
  insert into campaign_batches (campaign_id, batch_id, priority, first_member, last_member)
  select $1,
         (select coalesce(max(batch_id), 0) from campaign_batches where campaign_id = $1)
           + row_number() over (order by priority, first_member),
         priority, first_member, last_member
    from ranges
  returning 1
), version as (
  update campaigns set plan_version = plan_version + 1
   where campaign_id = $1 and exists (select from turn) returning plan_version
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       exists (select from turn) as mine,
       coalesce((select plan_version from version),
                (select plan_version from campaigns where campaign_id = $1)) as plan_version,
       (select count(*) from planned) as batches
