-- withdraw_opt_out: the member wants mail after all.
-- Params: 1 campaign text, 2 member bigint
-- Locks:  the member, waited for. Twice: the same.
update campaign_targets set opted_out_at = null
 where campaign_id = $1::text and member_id = $2::bigint and opted_out_at is not null
