-- opt_out: the member wants no mail.
-- Params: 1 campaign text, 2 member bigint
-- Locks:  the member, waited for. Twice: the first time stays.
update campaign_targets set opted_out_at = campaign_clock()
 where campaign_id = $1::text and member_id = $2::bigint and opted_out_at is null
