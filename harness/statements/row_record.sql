-- $1 campaign, $2 claim token, $3 member ids, $4 states, $5 release flags, $6 back-offs in seconds (0: none), arrays of one
-- length. Changes only rows that this claim still holds.
update campaign_targets as t
set
  state = done.state,
  sent_at = case when done.state = 'sent' then now() end,
  attempts = t.attempts - done.released::int,
  lease_until = null,
  not_before = case when done.backoff_s > 0 then now() + done.backoff_s * interval '1 second' end
from unnest($3::bigint[], $4::text[], $5::boolean[], $6::int[]) as done (member_id, state, released, backoff_s)
where t.campaign_id = $1::text
  and t.member_id = done.member_id
  and t.state = 'sending'
  and t.claim_id = $2::uuid
