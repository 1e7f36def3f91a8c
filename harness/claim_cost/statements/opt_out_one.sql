-- opt_out_one: what the company's other system writes at any time, on a plain table too.
-- Params: 1 campaign text, 2 member bigint
-- Result: none
-- Locks:  the member's row.
update campaign_targets set email = email where campaign_id = $1::text and member_id = $2::bigint
