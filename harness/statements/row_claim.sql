-- $1 campaign, $2 claim token. Returns member_id, email, attempts of at most 200 rows, now leased for 90 s.
-- Locks rows in the order of members and skips those that others hold.
with picked as (
  select member_id
  from campaign_targets
  where campaign_id = $1::text
    and opted_out_at is null
    and (
      (state = 'pending' and (not_before is null or not_before <= now()))
      or (state = 'sending' and lease_until < now())
    )
  order by member_id
  limit 200
  for update skip locked
)
update campaign_targets as t
set state = 'sending', attempts = t.attempts + 1, claim_id = $2::uuid, lease_until = now() + interval '90 seconds'
from picked
where t.campaign_id = $1::text and t.member_id = picked.member_id
returning t.member_id, t.email, t.attempts
