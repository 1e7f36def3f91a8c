-- sweep: finds eligible members that no open batch covers: added late, opt-outs withdrawn, released by hand. Few of them go
-- to the retry pool; with a batch or more the caller plans again.
-- Params: 1 campaign text, 2 plan_version int (as last seen), 3 batch int
-- Result: now_us, mine (false: somebody else is at it, or batches are open), plan_version, loose, moved
-- Locks:  the campaign's row, skipped if locked (why: see plan.sql), then the moved members.
-- Twice:  a member that was moved has not_before set and is not loose any more.
with turn as materialized (
  select campaign_id from campaigns
   where campaign_id = $1::text and plan_version = $2::int
     and not exists (select from campaign_batches where campaign_id = $1::text and state <> 'done')
     for update skip locked
), loose as materialized (
  select member_id from campaign_targets
   where campaign_id = $1 and state = 'pending' and not_before is null and opted_out_at is null
     and exists (select from turn)
), moved as (
  update campaign_targets set not_before = campaign_clock()
   where campaign_id = $1 and state = 'pending' and not_before is null
     and member_id = any (array(select member_id from loose where (select count(*) from loose) < $3::int))
  returning 1
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       exists (select from turn) as mine,
       (select plan_version from campaigns where campaign_id = $1) as plan_version,
       (select count(*) from loose) as loose,
       (select count(*) from moved) as moved
