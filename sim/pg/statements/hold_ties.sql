-- hold_ties: locks the members that are due at the same time as the last of those claimed, and were not: which of them a
-- limited claim takes is open, and with these skipped it takes the others.
-- Params: 1 campaign text, 2 claimed bigint[]
-- Result: who is held. Locks: those members, skipped if locked; held until the transaction ends. Twice: the same.
select member_id from campaign_targets
 where campaign_id = $1::text and member_id <> all ($2::bigint[])
   and not_before = (select max(not_before) from campaign_targets
                      where campaign_id = $1::text and member_id = any ($2::bigint[]))
 order by member_id
   for update skip locked
