-- retry_now: a person puts an open member into the retry pool, whoever has claimed it.
-- Params: 1 campaign text, 2 member bigint
-- Locks:  the member, waited for. Twice: it is due later.
update campaign_targets set not_before = campaign_clock()
 where campaign_id = $1::text and member_id = $2::bigint and state = 'pending'
