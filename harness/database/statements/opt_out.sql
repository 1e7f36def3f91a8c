-- $1 campaign, $2 member, $3 the moment in microseconds since 1970: the other system's clock, never the campaign's, which may
-- be shifted. One row and one transaction, as the opt-out contract asks. Safe to run twice: the first opt-out stands.
update campaign_targets
set opted_out_at = to_timestamp($3::bigint / 1000000.0)
where campaign_id = $1::text and member_id = $2::bigint and opted_out_at is null
