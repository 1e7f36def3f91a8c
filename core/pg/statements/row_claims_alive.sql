-- row_claims_alive: members leased by a sender of the row-claim generation, which sees none of our claims.
-- Params: 1 campaign text
-- Result: alive bigint. Locks: none. Twice: the same.
-- Needs the columns of that generation (schema_check.row_claims).
select count(*) as alive
  from campaign_targets
 where campaign_id = $1::text and claim_id is not null and lease_until > campaign_clock()
