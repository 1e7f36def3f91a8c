-- record_retries: writes outcomes of members claimed from the retry pool; each of them ends its own claim.
-- Params: 1 campaign text, 2 token uuid, 3 sent bigint[]; the others, one array a column: 4 member bigint[],
--         5 state text[] (pending: again), 6 reason text[], 7 attempts int[], 8 delay_us bigint[] (null: released
--         unsent, due as before), 9 doubt bool[], 10 expired int[]
-- Result: now_us, verdict (recorded | stale: none of the rows was ours any more), changed
-- Locks:  the members. Twice: rows whose claim has ended are left alone and not counted as changed.
with sent as (
  update campaign_targets
     set state = 'sent', sent_at = campaign_clock(), not_before = null, retry_token = null, retry_lease_until = null
   where campaign_id = $1::text and member_id = any ($3::bigint[]) and state = 'pending' and retry_token = $2::uuid
  returning 1
), other as (
  update campaign_targets t
     set state = o.state, reason = o.reason, attempts = o.attempts, expired_claims = o.expired,
         not_before = case when o.state <> 'pending' then null
           when o.delay_us is null then t.not_before
           else date_trunc('second', campaign_clock() + o.delay_us * interval '1 microsecond') + interval '1 second' end,
         maybe_sent_since = case when o.doubt or o.state = 'unknown' then t.maybe_sent_since end,
         retry_token = null, retry_lease_until = null
    from unnest($4::bigint[], $5::text[], $6::text[], $7::int[], $8::bigint[], $9::bool[], $10::int[])
           as o (member_id, state, reason, attempts, delay_us, doubt, expired)
   where t.campaign_id = $1 and t.member_id = any ($4::bigint[]) and t.member_id = o.member_id
     and t.state = 'pending' and t.retry_token = $2::uuid
  returning 1
), changed as (
  select (select count(*) from sent) + (select count(*) from other) as rows
)
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       case when changed.rows > 0 or cardinality($3::bigint[]) + cardinality($4::bigint[]) = 0
            then 'recorded' else 'stale' end as verdict,
       changed.rows as changed
  from changed
