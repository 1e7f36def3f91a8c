-- row_claim: one batch of a row-claim sender.
-- Params: 1 campaign text, 2 claim uuid. Result: member_id, email, attempts. Locks: the rows, skipped if locked.
with due as (
  select member_id from campaign_targets
   where campaign_id = $1::text and opted_out_at is null
     and ((state = 'pending' and (not_before is null or not_before <= campaign_clock()))
          or (state = 'sending' and lease_until < campaign_clock()))
   order by member_id limit 200
     for update skip locked
)
update campaign_targets t
   set state = 'sending', attempts = t.attempts + 1, claim_id = $2::uuid,
       lease_until = campaign_clock() + interval '90 seconds'
  from due
 where t.campaign_id = $1 and t.member_id = due.member_id
returning t.member_id, t.email, t.attempts
