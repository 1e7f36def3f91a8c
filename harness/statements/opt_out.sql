-- $1 campaign, $2 member. One row and one transaction, as the opt-out contract asks. Safe to run twice: the first
-- opt-out stands.
update campaign_targets
set opted_out_at = pg_catalog.now()
where campaign_id = $1::text and member_id = $2::bigint and opted_out_at is null
