-- record_batch: writes outcomes of a claimed batch, and on the last call ends the claim.
-- Params: 1 campaign text, 2 batch_id bigint, 3 token uuid, 4 sent bigint[];
--         the others, one array a column: 5 member bigint[], 6 state text[] (pending: retry), 7 reason text[],
--         8 attempts int[], 9 delay_us bigint[] (retry), 10 doubt bool[] (may have been sent), 11 expired int[];
--         12 ends bool (no member of the claim is left started or held), 13 keep_doubt bool (members released
--         unsent, or opted out since, may have been sent by an earlier claim)
-- Result: now_us, verdict (recorded | already | stale), changed
-- Locks:  the batch's row, then its members. Whoever opts members out many to a transaction must do so in ascending
--         order; a deadlock loses nothing here, the statement is sent again.
-- Twice:  rows that are no longer pending, or went to the retry pool, are left alone: the first run put them there, and
--         somebody else may hold them since. A claim that we ended ourselves answers "already".
with fence as materialized (
  select batch_id, priority, first_member, last_member, maybe_sent_since from campaign_batches
   where campaign_id = $1::text and batch_id = $2::bigint and token = $3::uuid and state = 'leased'
     for update
), sent as (
  update campaign_targets set state = 'sent', sent_at = campaign_clock()
   where campaign_id = $1 and member_id = any ($4::bigint[]) and state = 'pending' and not_before is null
     and exists (select from fence)
  returning 1
), other as (
  update campaign_targets t
     set state = o.state, reason = o.reason, attempts = o.attempts, expired_claims = o.expired,
         not_before = case when o.state = 'pending'
           then date_trunc('second', campaign_clock() + o.delay_us * interval '1 microsecond') + interval '1 second' end,
         maybe_sent_since = case when o.doubt or o.state = 'unknown'
           then coalesce(t.maybe_sent_since, (select maybe_sent_since from fence)) end
    from unnest($5::bigint[], $6::text[], $7::text[], $8::int[], $9::bigint[], $10::bool[], $11::int[])
           as o (member_id, state, reason, attempts, delay_us, doubt, expired)
   where t.campaign_id = $1 and t.member_id = any ($5::bigint[]) and t.member_id = o.member_id
     and t.state = 'pending' and t.not_before is null and exists (select from fence)
  returning 1
), rest as materialized (
  select batch_id, exists (
           select from campaign_targets
            where campaign_id = $1 and member_id between f.first_member and f.last_member and priority = f.priority
              and state = 'pending' and not_before is null and opted_out_at is null
              and member_id not in (select unnest($4::bigint[] || $5::bigint[]))) as is_open
    from fence f
   where $12::bool
), ended as (
  update campaign_batches b
     set state = case when rest.is_open then 'open' else 'done' end, lease_until = null,
         maybe_sent_since = case when rest.is_open and $13::bool then b.maybe_sent_since end
    from rest
   where b.campaign_id = $1 and b.batch_id = rest.batch_id
  returning 1
), doubted as (
  -- Who has opted out keeps nobody's batch open, but an earlier claim may have sent him: in the retry pool the age of that
  -- doubt outlives the batch, until he withdraws the opt-out. Whether he has just done so makes no difference.
  update campaign_targets t
     set not_before = campaign_clock(), maybe_sent_since = coalesce(t.maybe_sent_since, f.maybe_sent_since)
    from fence f
   -- Hidden from the planner: with "false" in sight, it plans each record anew, without this.
   where (select $13::bool) and exists (select from rest where not is_open)
     and t.campaign_id = $1 and t.member_id between f.first_member and f.last_member and t.priority = f.priority
     and t.state = 'pending' and t.not_before is null
     and t.member_id not in (select unnest($4::bigint[] || $5::bigint[]))
  returning 1
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       case when exists (select from fence) then 'recorded'
            when exists (select from campaign_batches
                          where campaign_id = $1 and batch_id = $2 and token = $3 and state <> 'leased') then 'already'
            else 'stale' end as verdict,
       (select count(*) from sent) + (select count(*) from other) as changed,
       (select count(*) from ended) as ended,
       (select count(*) from doubted) as doubted
