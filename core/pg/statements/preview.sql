-- preview: the first members who would be mailed, for a dry run, in the order of sending.
-- Params: 1 campaign text, 2 limit bigint
-- Result: member_id, email. Locks: none. Twice: the same.
select member_id, email
  from campaign_targets
 where campaign_id = $1::text and state = 'pending' and opted_out_at is null
 order by priority, member_id limit $2::bigint
