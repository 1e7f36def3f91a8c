-- row_record: the outcomes of one batch of a row-claim sender.
-- Params: 1 campaign text, 2 claim uuid, 3 members bigint[], 4 states text[], 5 releases int[], 6 backoffs_s int[]
-- Result: none. Locks: the rows. Fenced by the claim's id.
update campaign_targets t
   set state = r.state, sent_at = case when r.state = 'sent' then campaign_clock() end,
       attempts = t.attempts - r.release, lease_until = null,
       not_before = case when r.state = 'pending' then campaign_clock() + r.backoff_s * interval '1 second' end
  from unnest($3::bigint[], $4::text[], $5::int[], $6::int[]) as r (member_id, state, release, backoff_s)
 where t.campaign_id = $1::text and t.member_id = r.member_id and t.state = 'sending' and t.claim_id = $2::uuid
