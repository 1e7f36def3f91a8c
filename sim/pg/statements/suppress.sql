-- suppress: a person takes an open member out of the campaign, whoever has claimed it.
-- Params: 1 campaign text, 2 member bigint
-- Locks:  the member, waited for. Twice: the same.
update campaign_targets set state = 'skipped', not_before = null, retry_token = null, retry_lease_until = null
 where campaign_id = $1::text and member_id = $2::bigint and state = 'pending'
